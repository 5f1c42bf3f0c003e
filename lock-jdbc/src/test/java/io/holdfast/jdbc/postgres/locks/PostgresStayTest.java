package io.holdfast.jdbc.postgres.locks;

import static io.holdfast.jdbc.fixtures.LockFile.observed;
import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stays, as it lies in the tables. */
class PostgresStayTest extends OnPostgres {

  private static final Duration LONG = Duration.ofHours(1);

  /** Nobody asks for this lock any more, and so nobody looks at it. */
  @Test
  void aSweepLetsAStayOfAnotherClockBeginAnew() {
    LockBackend backend =
        schema.backend(ServerSettings.standard().idle(Duration.ZERO), BackendOptions.DEFAULTS);
    Request held = request(session(backend), "a", IfHeld.REFUSE);
    take(backend, held);
    backend.releaseAfter(held.key(), LONG, soon());
    schema.execute("UPDATE holdfast_locks SET stay_in = 'former', stay_from = 1");

    backend.sweep(soon());

    assertThat(schema.text("SELECT count(*) FROM holdfast_locks WHERE stay_in <> 'former'"))
        .isEqualTo("1");
    assertThat(schema.text("SELECT count(*) FROM holdfast_locks WHERE stay_from > 1"))
        .isEqualTo("1");
    backend.sweep(soon());
    assertThat(schema.text("SELECT holder FROM holdfast_locks")).isEqualTo("~" + held.id());
  }

  /** One of several who hold lies in the queue. */
  @Test
  void aDelayOfOneWhoSharesBeginsWhenItIsOvertaken() {
    LockBackend backend = schema.backend();
    SessionId dead = session(backend);
    Request first = request(session(backend), "a", IfHeld.QUEUE).with(LockMode.SHARED);
    Request second = request(dead, "a", IfHeld.QUEUE).with(LockMode.SHARED).lockDelay(LONG);
    long number = take(backend, first).number();
    take(backend, second);
    schema.execute("DELETE FROM holdfast_sessions WHERE id = '" + dead + "'");

    Request writer = request(session(backend), "a", IfHeld.REFUSE);
    Attempt attempt = backend.overtake(writer, observed(second, number), soon());

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    assertThat(schema.text("SELECT stay || ' ' || lock_delay FROM holdfast_queue"))
        .isEqualTo("lock-delay 0");
    assertThat(backend.release(first.name(), first.id(), soon())).isEqualTo(Released.SHARED);
    assertThat(backend.overtake(writer, observed(second, number), soon()))
        .isInstanceOf(Attempt.Refused.class);
  }

  /** Of several notices the one that leaves the least time is told, and there is no other. */
  @Test
  void aSessionHasOneNoticeForEachRequest() {
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);
    Request held = request(mine, "a", IfHeld.REFUSE);
    long number = take(backend, held).number();

    for (Duration notice : List.of(LONG, LONG.multipliedBy(2), LONG.dividedBy(2))) {
      backend.revokeIn(observed(held, number), notice, soon());
    }

    assertThat(((Renewed.Alive) backend.renew(mine, soon())).notices())
        .singleElement()
        .isInstanceOfSatisfying(
            Notice.Revoked.class,
            told -> assertThat(told.left()).isLessThanOrEqualTo(LONG.dividedBy(2)));
    backend.acknowledge(held.id(), soon());
    assertThat(schema.text("SELECT notices FROM holdfast_sessions")).isEmpty();
  }
}
