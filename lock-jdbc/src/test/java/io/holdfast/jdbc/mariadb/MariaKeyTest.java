package io.holdfast.jdbc.mariadb;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.pools.PoolSettings;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.StepAction;
import org.junit.jupiter.api.Test;

/** What statements tell by the key that they generate, and what they do not. */
class MariaKeyTest extends OnMaria {

  private static final int READING = 2;

  private final StepAction at = new StepAction();

  private LockBackend stepped() {
    return schema.backend(
        ServerSettings.standard().onStatement(text -> at.run()), BackendOptions.DEFAULTS);
  }

  private BackendFailure grabWithoutAnswer(LockBackend backend, Request request) {
    at.arm(
        READING,
        () -> {
          throw new BackendFailure(Effect.NONE, "The server gave the statement up.", null);
        });
    BackendFailure failure =
        catchThrowableOfType(BackendFailure.class, () -> backend.grab(request, soon()));
    assertThat(at.disarm()).isTrue();
    return failure;
  }

  /** Its number is read with its time, and the lock is taken whether or not that is answered. */
  @Test
  void aGrabThatTookALockWithANumberAheadOfTheClockHasHadAnEffect() {
    LockBackend backend = stepped();
    SessionId mine = session(backend);
    LockBackend elsewhere = schema.backend();
    Request first = request(mine, "a", IfHeld.REFUSE);
    take(elsewhere, first);
    elsewhere.release(first.name(), first.id(), soon());
    schema.execute("UPDATE holdfast_locks SET number = number + 3600000000");
    Request second = request(mine, "a", IfHeld.REFUSE);

    assertThat(grabWithoutAnswer(backend, second).effect()).isEqualTo(Effect.UNKNOWN);

    assertThat(backend.grab(second, soon())).isInstanceOf(Attempt.Granted.class);
  }

  /** The short statement leaves it to the one that tells it apart. */
  @Test
  void aLockThatThisClientGaveBackWithANumberAheadOfTheClockIsTaken() {
    LockBackend backend = stepped();
    SessionId mine = session(backend);
    Request first = request(mine, "a", IfHeld.REFUSE);
    take(backend, first);
    backend.release(first.name(), first.id(), soon());
    schema.execute("UPDATE holdfast_locks SET number = number + 3600000000");

    Attempt.Granted granted = take(backend, request(mine, "a", IfHeld.REFUSE));

    assertThat(granted.since()).isBefore(StoreTime.instant(granted.number()));
  }

  @Test
  void aGrabThatMadeARecordAboveAFloorAheadOfTheClockHasHadAnEffect() {
    LockBackend backend = stepped();
    SessionId mine = session(backend);
    schema.execute("UPDATE holdfast_namespace SET floor = 1000000 * (UNIX_TIMESTAMP() + 3600)");
    Request request = request(mine, "a", IfHeld.REFUSE);

    assertThat(grabWithoutAnswer(backend, request).effect()).isEqualTo(Effect.UNKNOWN);

    assertThat(schema.text("SELECT queue FROM holdfast_locks")).isNotEmpty();
  }

  @Test
  void aGrabThatWasRefusedHasHadNone() {
    LockBackend backend = stepped();
    SessionId mine = session(backend);
    take(backend, request(mine, "a", IfHeld.REFUSE));

    BackendFailure failure = grabWithoutAnswer(backend, request(mine, "a", IfHeld.REFUSE));

    assertThat(failure.effect()).isEqualTo(Effect.NONE);
  }

  /** Which another client has recorded, as from a server with other settings. */
  @Test
  void aSessionIsNotOpenedInAnIncarnationThatIsNotTheRecordedOne() {
    // With more of them the next call might get another one that is out of date.
    PoolSettings oneConnection = PoolSettings.standard().connections(1);
    LockBackend backend =
        schema.backend(ServerSettings.standard().pools(oneConnection), BackendOptions.DEFAULTS);
    session(backend);
    schema.execute("UPDATE holdfast_namespace SET life = 'another'");

    BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> session(backend));
    assertThat(failure).hasMessageContaining("so it is replaced");

    SessionId next = session(backend);
    assertThat(backend.renew(next, soon())).isInstanceOf(Renewed.Alive.class);
    assertThat(schema.text("SELECT life FROM holdfast_namespace")).isNotEqualTo("another");
  }
}
