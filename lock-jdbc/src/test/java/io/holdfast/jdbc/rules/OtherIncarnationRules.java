package io.holdfast.jdbc.rules;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of the tables of another life of the server, or of another server. */
public interface OtherIncarnationRules {

  /** Where the tables are, made empty for each test. */
  ServerSchema schema();

  /** As a promoted replica looks to its first client. */
  private void becomeAnotherIncarnation() {
    schema().execute("UPDATE holdfast_namespace SET life = 'former'");
    schema().execute("UPDATE holdfast_sessions SET opened_in = 'former'");
  }

  @Test
  default void inAnotherIncarnationNobodyIsGrantedAnythingUntilEarlierLeasesHaveRunOut() {
    // given
    LockBackend before = schema().backend();
    SessionId former = session(before);
    long number = take(before, request(former, "a", IfHeld.REFUSE)).number();
    becomeAnotherIncarnation();

    // when
    LockBackend after = schema().backend();
    SessionId mine = session(after);

    // then
    Attempt.Delayed delayed =
        (Attempt.Delayed) after.grab(request(mine, "b", IfHeld.QUEUE), soon());
    assertThat(delayed.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(61));
    assertThat(after.renew(former, soon())).isEqualTo(new Renewed.Over());
    schema().moveTimes(Duration.ofSeconds(61).negated());
    take(after, request(mine, "b", IfHeld.QUEUE));
    assertThat(
            after.inspect(request(mine, "a", IfHeld.QUEUE).name(), soon()).orElseThrow().number())
        .isEqualTo(number);
  }

  @Test
  default void whoeverDoesNotWantTheRestartGuardDoesNotWait() {
    session(schema().backend());
    becomeAnotherIncarnation();

    LockBackend bold =
        schema()
            .backend(
                ServerSettings.standard(),
                new BackendOptions(NamespaceWish.NONE, RestartGuard.OFF));

    take(bold, request(session(bold), "a", IfHeld.REFUSE));
    LockBackend careful = schema().backend();
    assertThat(careful.grab(request(session(careful), "b", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Delayed.class);
  }

  /** Its number lies in the future, so whoever makes it anew might start below. */
  @Test
  default void aRecordIsKeptUntilTheClockHasPassedItsNumber() {
    // given
    LockBackend backend = schema().backend();
    SessionId mine = session(backend);
    Request request = request(mine, "a", IfHeld.REFUSE);
    take(backend, request);
    backend.release(request.name(), request.id(), soon());
    schema().execute("UPDATE holdfast_locks SET number = number + 3600000000");
    schema().moveTimes(Duration.ofHours(25).negated());
    backend.renew(mine, soon());

    // when
    backend.sweep(soon());

    // then
    assertThat(backend.inspect(request.name(), soon())).isPresent();
  }

  /** A grab that began before that could take a number that is not above it. */
  @Test
  default void aRecordWhoseNumberTheClockHasJustPassedIsKept() {
    LockBackend hourly =
        schema()
            .backend(ServerSettings.standard().idle(Duration.ofHours(1)), BackendOptions.DEFAULTS);
    Request first = request(session(hourly), "a", IfHeld.REFUSE);
    take(hourly, first);
    hourly.release(first.name(), first.id(), soon());
    schema()
        .execute("UPDATE holdfast_locks SET since = since - 7200000000, number = number - 1000000");

    assertThat(hourly.sweep(soon())).isZero();
    schema().execute("UPDATE holdfast_locks SET number = number - 7200000000");
    assertThat(hourly.sweep(soon())).isOne();
  }
}
