package io.holdfast.jdbc.verbs;

import static io.holdfast.jdbc.fixtures.LockFile.TTL;
import static io.holdfast.jdbc.fixtures.LockFile.observed;
import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.database.Machine;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.StoreFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteSessionTest {

  @TempDir private Path directory;
  private LockFile file;
  private LockBackend backend;

  @BeforeEach
  void open() {
    file = LockFile.in(directory);
    backend = file.backend();
  }

  @AfterEach
  void close() {
    file.close();
  }

  private List<Notice> notices(SessionId session) {
    return ((Renewed.Alive) backend.renew(session, soon())).notices();
  }

  @Test
  void anOpenedSessionIsToldTheSettingsAndTheTimeOfTheStore() {
    Opened opened =
        backend.open(new SessionSpec(SessionId.fresh(), TTL, 0, LockFile.PROCESS), soon());

    assertThat(opened.ttl()).isEqualTo(TTL);
    assertThat(opened.namespace())
        .isEqualTo(
            new NamespaceSettings(
                QueueTextDialect.PROTOCOL,
                1,
                NamespaceSettings.MAX_TTL_DEFAULT,
                NamespaceSettings.MAX_CLOCK_STEP_DEFAULT));
    assertThat(opened.storeTime())
        .get()
        .satisfies(
            time -> assertThat(time).isBetween(Instant.now().minusSeconds(20), Instant.now()));
  }

  @Test
  void aSessionIdIsUsedOnce() {
    SessionId id = session(backend);

    assertThatThrownBy(() -> backend.open(new SessionSpec(id, TTL, 0, LockFile.PROCESS), soon()))
        .isInstanceOf(BadRequestException.class);
  }

  /** A client that has read the version and was paused may go on when it is another one. */
  @Test
  void aSessionIsOpenedUnderItsOwnVersionAlone() {
    session(backend);
    LockBackend paused =
        file.backend(
            SqliteSettings.standard()
                .onStatement(
                    statement -> {
                      if (statement.contains("sessions} (id, ttl")) {
                        file.execute("UPDATE holdfast_namespace SET protocol = 99");
                      }
                    }));

    assertThatThrownBy(() -> session(paused))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("version 99");
  }

  @Test
  void aSessionThatLapsedLivesUntilSomebodyEndsIt() {
    SessionId session = session(backend);
    file.age(session, Duration.ofHours(1));

    assertThat(backend.renew(session, soon())).isInstanceOf(Renewed.Alive.class);
    assertThat(backend.end(session, EndIf.LAPSED, soon())).isEqualTo(Ended.ALIVE);

    file.age(session, Duration.ofHours(1));
    assertThat(backend.end(session, EndIf.LAPSED, soon())).isEqualTo(Ended.OVER);
    assertThat(backend.renew(session, soon())).isEqualTo(new Renewed.Over());
  }

  @Test
  void theToleratedClockStepIsAddedToEveryLease() {
    StoreFixture.holdsWithin(
        Duration.ofMillis(900),
        "a session lives on for the step that is tolerated",
        () -> backend,
        opening -> {
          SessionId session = session(opening);
          file.age(session, TTL.plusMillis(1));
          return opening.end(session, EndIf.LAPSED, soon()) == Ended.ALIVE;
        });

    SessionId session = session(backend);
    file.age(session, TTL.plusSeconds(1).plusMillis(1));
    assertThat(backend.end(session, EndIf.LAPSED, soon())).isEqualTo(Ended.OVER);
  }

  @Test
  void aRenewalInTheFutureIsRewrittenAndCostsOneMoreTtl() {
    SessionId session = session(backend);
    file.age(session, Duration.ofHours(-1));

    assertThat(backend.end(session, EndIf.LAPSED, soon())).isEqualTo(Ended.ALIVE);

    file.age(session, TTL.plusSeconds(2));
    assertThat(backend.end(session, EndIf.LAPSED, soon())).isEqualTo(Ended.OVER);
  }

  @Test
  void aRenewalOfAnotherIncarnationIsNotComparedButStamped() {
    SessionId session = session(backend);
    file.age(session, Duration.ofHours(1));
    LockBackend rebooted = file.backend(SqliteSettings.standard().incarnation("next boot"));

    assertThat(rebooted.end(session, EndIf.LAPSED, soon())).isEqualTo(Ended.ALIVE);
    assertThat(rebooted.end(session, EndIf.LAPSED, soon())).isEqualTo(Ended.ALIVE);

    file.age(session, Duration.ofHours(1));
    assertThat(rebooted.end(session, EndIf.LAPSED, soon())).isEqualTo(Ended.OVER);
  }

  /** Such as in a container without /proc, or with a boot id of its own. */
  @Test
  void whoCannotReadTheBootIdAndWhoCanAgreeThatASessionHasLapsed() {
    LockBackend blind = file.backend(SqliteSettings.standard().incarnation(Machine.UNKNOWN));
    SessionId seen = session(backend);
    SessionId unseen = session(blind);
    file.age(seen, Duration.ofHours(1));
    file.age(unseen, Duration.ofHours(1));

    assertThat(blind.end(seen, EndIf.LAPSED, soon())).isEqualTo(Ended.OVER);
    assertThat(backend.end(unseen, EndIf.LAPSED, soon())).isEqualTo(Ended.OVER);
  }

  @Test
  void whoCanReadTheBootIdSeesThatASessionLivesOfOneWhoCannot() {
    LockBackend blind = file.backend(SqliteSettings.standard().incarnation(Machine.UNKNOWN));
    Request held = request(session(blind), "a", IfHeld.REFUSE);
    take(blind, held);

    assertThat(backend.inspect(held.name(), soon()).orElseThrow().holder().orElseThrow().liveness())
        .isEqualTo(Liveness.LIVE);
  }

  @Test
  void aRevocationTellsNothingOfTheNextHolder() {
    SessionId session = session(backend);
    Request held = request(session, "a", IfHeld.QUEUE);
    long number = take(backend, held).number();
    Request waiter = request(session, "a", IfHeld.QUEUE);
    backend.grab(waiter, soon());
    backend.revoke(observed(held, number), RevokeWhen.SAFELY, soon());

    backend.release(held.name(), held.id(), soon());

    assertThat(backend.inspect(held.name(), soon()).orElseThrow().holder().orElseThrow())
        .satisfies(
            holder -> {
              assertThat(holder.request()).isEqualTo(waiter.id());
              assertThat(holder.revokedAt()).isEmpty();
            });
  }

  @Test
  void aMarkOfTheFutureIsRewrittenByWhoeverLooks() {
    SessionId session = session(backend);
    SessionId other = session(backend);
    Request held = request(session, "a", IfHeld.QUEUE);
    long number = take(backend, held).number();
    Request waiter = request(other, "a", IfHeld.QUEUE);
    backend.grab(waiter, soon());
    backend.revoke(observed(held, number), RevokeWhen.SAFELY, soon());
    file.moveStays(Duration.ofHours(1));

    List<Standing> standing = backend.look(other, List.of(waiter.key()), soon());

    assertThat(((Standing.Waiting) standing.get(0)).obstacles()).isEmpty();
    assertThat(
            backend.inspect(held.name(), soon()).orElseThrow().holder().orElseThrow().revokedAt())
        .get()
        .satisfies(at -> assertThat(at).isBeforeOrEqualTo(Instant.now()));
  }

  @Test
  void aNoticeIsNotTakenForThatOfARequestWhoseNumberBeginsAlike() {
    SessionId session = session(backend);
    file.execute(
        "UPDATE holdfast_sessions SET notices = '%s-11;' WHERE id = '%s'"
            .formatted(session, session));

    backend.acknowledge(new RequestId(session, 1), soon());

    assertThat(notices(session)).containsExactly(new Notice.Revoked(new RequestId(session, 11)));
  }
}
