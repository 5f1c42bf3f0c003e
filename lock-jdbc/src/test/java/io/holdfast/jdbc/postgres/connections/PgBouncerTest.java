package io.holdfast.jdbc.postgres.connections;

import static io.holdfast.jdbc.fixtures.LockFile.session;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.faults.Invocation;
import io.holdfast.tck.faults.Verb;
import io.holdfast.testing.postgres.PgBouncer;
import io.holdfast.testing.postgres.PostgresServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Behind a proxy that pools transactions: LISTEN succeeds there, and nothing is ever heard. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class PgBouncerTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private static final Duration SHORT_TTL = Duration.ofSeconds(3);

  private PostgresServer server;
  private PgBouncer proxy;

  @BeforeEach
  void start() {
    server = PostgresServer.launch();
    proxy = PgBouncer.before(server);
  }

  @AfterEach
  void stop() {
    proxy.close();
    server.close();
  }

  private LockBackend backend() {
    return new JdbcLockProvider().connect(proxy.uri(), BackendOptions.DEFAULTS, LockFile.soon());
  }

  @Test
  void hintsThatDoNotArriveAreFoundOut() {
    try (LockBackend backend = backend()) {
      SessionId session = session(backend);

      assertThatThrownBy(() -> backend.listen(session, name -> {}, LockFile.soon()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("do not arrive");
    }
  }

  @Test
  void waitersPoll() {
    AtomicInteger refused = new AtomicInteger();
    try (TestClient holder = new TestClient(backend(), WAIT_MAX, UnaryOperator.identity());
        TestClient waiter =
            new TestClient(backend(), SHORT_TTL, store -> countingRefusals(store, refused))) {
      // given
      Grant held = holder.hold("a");
      Waiting waits = waiter.waitFor("a", WAIT_MAX);
      await().atMost(WAIT_MAX).until(() -> refused.get() > 0);

      // then
      int rounds = 1;
      while (listensInSevenHeartbeats(waiter) > 0) {
        assertThat(rounds++).as("rounds in which hints were asked for again").isLessThan(3);
      }
      held.close();
      waits.grant().check();
    }
  }

  private static LockBackend countingRefusals(LockBackend store, AtomicInteger refused) {
    return new InterceptedBackend(store) {
      @Override
      protected Object intercept(Verb verb, Invocation call) {
        try {
          return call.proceed();
        } catch (BackendUnusableException e) {
          refused.addAndGet(verb == Verb.LISTEN ? 1 : 0);
          throw e;
        }
      }
    };
  }

  /** Some, if the machine stood still until the waiter had given up the call that is refused. */
  private static long listensInSevenHeartbeats(TestClient waiter) {
    long listens = waiter.count(Verb.LISTEN);
    long renewals = waiter.answers(Verb.RENEW);
    long looks = waiter.count(Verb.LOOK);
    await().atMost(WAIT_MAX).until(() -> waiter.answers(Verb.RENEW) >= renewals + 7);

    assertThat(waiter.count(Verb.LOOK) - looks)
        .as("looks in the time of seven heartbeats")
        .isGreaterThan(3 * 7);
    return waiter.count(Verb.LISTEN) - listens;
  }

  /**
   * The server loses what it has not written when it is killed, and would write it seconds later.
   */
  @Test
  void aGrantOverAConnectionThatNobodyHasSetIsDurable() {
    try (PostgresServer lax =
            PostgresServer.launch("synchronous_commit=off", "wal_writer_delay=10s");
        PgBouncer before = PgBouncer.before(lax);
        LockBackend backend =
            new JdbcLockProvider()
                .connect(before.uri(), BackendOptions.DEFAULTS, LockFile.soon())) {
      // given
      Request request = LockFile.request(session(backend), "a", IfHeld.REFUSE);
      before.switchTo(lax); // It makes its connections anew.

      // when
      long number = LockFile.take(backend, request).number();
      lax.kill();
      lax.start();

      // then; the proxy refuses for a while after it has found the server gone
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(BackendFailure.class)
          .untilAsserted(
              () ->
                  assertThat(
                          backend.inspect(request.name(), LockFile.soon()).orElseThrow().number())
                      .isEqualTo(number));
    }
  }
}
