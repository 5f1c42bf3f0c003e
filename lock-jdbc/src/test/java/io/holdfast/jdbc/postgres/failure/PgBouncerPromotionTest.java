package io.holdfast.jdbc.postgres.failure;

import static io.holdfast.jdbc.fixtures.LockFile.observed;
import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.testing.postgres.PgBouncer;
import io.holdfast.testing.postgres.PostgresPair;
import io.holdfast.testing.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A proxy that pools transactions leads connections that it keeps to what has become of a server.
 */
@Tag("server")
class PgBouncerPromotionTest {

  private static final Duration WAIT_MAX = Duration.ofMinutes(2);
  private static final Duration TTL = Duration.ofSeconds(15);

  private final ShiftedClock clock = ShiftedClock.make();
  private final PostgresPair servers = PostgresPair.launch(clock);
  private final PgBouncer proxy = PgBouncer.before(servers.primary());
  private final List<LockBackend> backends = new ArrayList<>();

  @AfterEach
  void stop() {
    backends.forEach(LockBackend::close);
    proxy.close();
    servers.close();
    clock.close();
  }

  private LockBackend backend() {
    LockBackend backend =
        new JdbcLockProvider().connect(proxy.uri(), BackendOptions.DEFAULTS, soon());
    backends.add(backend);
    return backend;
  }

  private LockClient client() {
    return Holdfast.builder().defaultTtl(TTL).maxTtl(TTL).connect(proxy.uri());
  }

  private void failOverLosing(Runnable lastWrites) {
    servers.failOverLosing(lastWrites);
    proxy.switchTo(servers.primary());
  }

  @Test
  void aGrantThatWasLostIsGivenToNobodyWhileItsHolderBelieves() {
    List<Grant> lost = new ArrayList<>();
    try (LockClient one = client();
        LockClient other = client()) {
      // given
      other.lock("b").acquire(WAIT_MAX).close();

      // when
      failOverLosing(() -> lost.add(one.lock("a").acquire(WAIT_MAX)));

      // then
      Grant believed = lost.get(0);
      while (believed.isHeld()) {
        Optional<Grant> second = granted(other.lock("a"));
        assertThat(second.isPresent() && believed.isHeld()).as("two hold").isFalse();
      }
      assertThat(other.lock("a").acquire(WAIT_MAX).token()).isGreaterThan(believed.token());
    }
  }

  /** For a while after a failed login PgBouncer refuses every client. */
  private static Optional<Grant> granted(DistributedLock lock) {
    try {
      return lock.tryAcquire();
    } catch (BackendUnreachableException e) {
      return Optional.empty();
    }
  }

  /** The proxy keeps a client's connection: only the error tells that it leads to a replica. */
  @Test
  void aServerThatTakesNoMoreWritesIsLookedForAnew() {
    LockBackend backend = backend();
    Request request = request(session(backend), "a", IfHeld.REFUSE);
    try (PostgresServer replica = servers.primary().replicate(ServerProcess.freePort())) {
      proxy.switchTo(replica);

      assertThatThrownBy(() -> backend.grab(request, soon()))
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining("takes no more writes");

      proxy.switchTo(servers.primary());
    }
    await()
        .atMost(WAIT_MAX)
        .ignoreExceptionsInstanceOf(BackendFailure.class)
        .until(() -> backend.grab(request, soon()) instanceof Attempt.Granted);
  }

  @Test
  void whatBeganBeforeAPromotionIsOverForEveryVerb() {
    // given
    LockBackend one = backend();
    LockBackend other = backend();
    SessionId holder = session(one);
    SessionId waiter = session(other);
    Request held = request(holder, "a", IfHeld.REFUSE);
    long number = take(one, held).number();
    Request waiting = request(waiter, "a", IfHeld.QUEUE);
    other.grab(waiting, soon());

    // when
    failOverLosing(() -> {});

    // then
    assertThat(other.grab(request(waiter, "b", IfHeld.REFUSE), soon()))
        .isEqualTo(new Attempt.SessionOver());
    assertThat(other.overtake(waiting, observed(held, number), soon()))
        .isEqualTo(new Attempt.SessionOver());
    assertThat(other.look(waiter, List.of(waiting.key()), soon()))
        .containsExactly(new Standing.Absent());
    assertThat(one.renew(holder, soon())).isEqualTo(new Renewed.Over());
    assertThat(one.end(waiter, EndIf.LAPSED, soon())).isEqualTo(Ended.OVER);
    SessionId fresh = session(other);
    assertThat(other.grab(request(fresh, "b", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Delayed.class);
  }

  @Test
  void whatBeganInAnotherClusterIsOverThoughItsTimelineHasTheSameNumber(@TempDir Path directory) {
    try (PostgresServer other = PostgresServer.launchAnotherCluster()) {
      // given
      LockBackend backend = backend();
      SessionId former = session(backend);
      servers.primary().dump("public", directory.resolve("dump"));
      take(backend, request(former, "a", IfHeld.REFUSE));

      // when
      other.restore(directory.resolve("dump"));
      proxy.switchTo(other);

      // then
      assertThat(backend.renew(former, soon())).isEqualTo(new Renewed.Over());
      assertThat(backend.grab(request(session(backend), "a", IfHeld.QUEUE), soon()))
          .isInstanceOf(Attempt.Delayed.class);
    }
  }

  @Test
  void observersWithConnectionsOfBeforeAndAfterARestartAgreeThatASessionHasLapsed() {
    // given
    LockBackend before = backend();
    SessionId dead = session(before, Duration.ofSeconds(2));
    before.end(session(before), EndIf.CLOSED, soon()); // Over the connection that is used then.
    servers.primary().restart();
    LockBackend after =
        await()
            .atMost(WAIT_MAX)
            .ignoreExceptionsInstanceOf(BackendFailure.class)
            .until(this::backend, made -> true);

    // when; the proxy refuses for a while after it has found the server gone
    await()
        .atMost(WAIT_MAX)
        .ignoreExceptionsInstanceOf(BackendFailure.class)
        .until(() -> endedByEither(after, before, dead));

    // then
    assertThat(before.renew(dead, soon())).isEqualTo(new Renewed.Over());
  }

  /** First by the one whose connections are new: it finds a renewal that it cannot judge. */
  private static boolean endedByEither(LockBackend after, LockBackend before, SessionId session) {
    return after.end(session, EndIf.LAPSED, soon()) == Ended.OVER
        || before.end(session, EndIf.LAPSED, soon()) == Ended.OVER;
  }
}
