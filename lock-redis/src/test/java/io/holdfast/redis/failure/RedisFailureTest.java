package io.holdfast.redis.failure;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.redis.RedisLockProvider;
import io.holdfast.redis.RedisNamespace;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

public class RedisFailureTest extends RedisServerTestBase {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(700);

  @Test
  public void aServerThatIsDownMayComeBack() {
    String uri = "redis://127.0.0.1:" + ServerProcess.freePort();

    BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> connect(uri));

    assertThat(failure.effect()).isEqualTo(Effect.NONE);
    assertThat(failure).hasMessageContaining("cannot be reached");
  }

  @Test
  public void aVerbReturnsByItsDeadlineWhenTheServerStandsStill() {
    LockBackend backend = backend();
    Request request = request(session(backend), "a", IfHeld.REFUSE);
    server.pause();
    try {
      // A deadline that passes before anything is sent is another failure, without an effect.
      await()
          .atMost(TIMEOUT)
          .until(
              () ->
                  catchThrowableOfType(
                              BackendFailure.class, () -> backend.grab(request, Deadline.in(SHORT)))
                          .effect()
                      == Effect.UNKNOWN);
    } finally {
      server.resume();
    }
    take(backend, request);
  }

  @Test
  public void connectingReturnsByItsDeadlineWhenTheServerStandsStill() {
    server.pause();
    try {
      assertThatThrownBy(
              () ->
                  new RedisLockProvider()
                      .connect(namespace.uri(), BackendOptions.DEFAULTS, Deadline.in(SHORT)))
          .isInstanceOf(BackendFailure.class);
    } finally {
      server.resume();
    }
  }

  @Test
  public void scriptsThatTheServerForgotAreSentAgain() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    take(backend, request(mine, "a", IfHeld.REFUSE));

    server.command("SCRIPT", "FLUSH");

    take(backend, request(mine, "b", IfHeld.REFUSE));
    assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
  }

  @Test
  public void connectionsThatWereKilledAreReplaced() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    server.command("CLIENT", "KILL", "TYPE", "normal");

    assertThatThrownBy(() -> backend.end(mine, EndIf.LAPSED, soon()))
        .isInstanceOf(BackendFailure.class);
    take(backend, request(mine, "a", IfHeld.REFUSE));
  }

  /** Then waiters poll until they have subscribed to hints again. */
  @Test
  public void whoListensIsToldThatTheHintsHaveEndedWhenTheSubscriptionBreaks() throws Exception {
    // given
    LockBackend backend = backend();
    SessionId mine = session(backend);
    Request first = request(mine, "a", IfHeld.QUEUE);
    Request second = request(mine, "a", IfHeld.QUEUE);
    take(backend, first);
    backend.grab(second, soon());
    Heard before = new Heard();
    backend.listen(mine, before, soon());

    // when
    server.command("CLIENT", "KILL", "TYPE", "pubsub");

    // then
    await().atMost(TIMEOUT).until(before.ended::get);
    Heard after = new Heard();
    try (AutoCloseable listening = backend.listen(mine, after, soon())) {
      backend.release(first.name(), first.id(), soon());
      await().atMost(TIMEOUT).until(() -> after.names.contains(first.name()));
    }
    assertThat(before.names).isEmpty();
  }

  private static final class Heard implements HintListener {
    private final Queue<LockName> names = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    @Override
    public void accept(LockName name) {
      names.add(name);
    }

    @Override
    public void ended() {
      ended.set(true);
    }
  }

  /**
   * The data is lost while the server runs: a stated limit. Tokens still rise and the holder is
   * told.
   */
  @Test
  public void aHolderLearnsOfFlushallAtItsNextRenewal() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    long number = take(backend, request(mine, "a", IfHeld.REFUSE)).number();

    server.command("FLUSHALL");

    assertThat(backend.renew(mine, soon())).isEqualTo(new Renewed.Over());
    SessionId next = session(backend);
    namespace.endGuard();
    assertThat(take(backend, request(next, "a", IfHeld.REFUSE)).number()).isGreaterThan(number);
  }

  /** Somebody has changed the policy since: a stated limit, like FLUSHALL. */
  @Test
  public void numbersRiseOverEvictionAndTheHolderHears() {
    try (RedisServer crowded = RedisServer.launch()) {
      // given
      RedisNamespace evicted = RedisNamespace.on(crowded);
      LockBackend backend = evicted.backend();
      SessionId mine = session(backend);
      evicted.endGuard();
      long number = take(backend, request(mine, "a", IfHeld.REFUSE)).number();

      // when
      crowded.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      crowded.command("CONFIG", "SET", "maxmemory", "1");
      await()
          .atMost(TIMEOUT)
          .until(() -> crowded.command("INFO", "stats").contains("evicted_keys:4"));
      crowded.command("CONFIG", "SET", "maxmemory", "0");
      crowded.command("CONFIG", "SET", "maxmemory-policy", "noeviction");

      // then
      assertThat(crowded.command("DBSIZE")).isEqualTo("0");
      assertThat(backend.renew(mine, soon())).isEqualTo(new Renewed.Over());
      SessionId next = session(backend);
      evicted.endGuard();
      assertThat(take(backend, request(next, "a", IfHeld.REFUSE)).number()).isGreaterThan(number);
      evicted.close();
    }
  }

  /** As if it alone had been evicted, or deleted by hand. */
  @Test
  public void numbersRiseOverTheLossOfALocksRecord() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    long number = take(backend, request(mine, "a", IfHeld.REFUSE)).number();

    server.command("DEL", namespace.key("lock:a"));

    assertThat(take(backend, request(mine, "a", IfHeld.REFUSE)).number()).isGreaterThan(number);
  }
}
