package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.LockRecord;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The clock of the server has seconds of fewer than ten digits, as that of a machine without a
 * battery until the network has told it the time.
 */
@Tag("server")
class RedisEarlyClockTest {

  private static final Instant AFTER_BOOT = Instant.ofEpochSecond(100);

  /** Its digits are greater than those of a clock of today. */
  private static final Instant EARLIER = Instant.ofEpochSecond(20);

  private final ShiftedClock clock = ShiftedClock.make();
  private RedisServer server;
  private RedisNamespace namespace;

  @AfterEach
  void stopServer() {
    namespace.close();
    server.close();
    clock.close();
  }

  @BeforeEach
  void startServer() {
    setClock(AFTER_BOOT);
    server = RedisServer.launch(clock);
    namespace = RedisNamespace.on(server);
  }

  private void setClock(Instant to) {
    clock.setRight();
    clock.step(Duration.between(Instant.now(), to));
  }

  private LockBackend unguarded() {
    return namespace.backend(BackendOptions.DEFAULTS.with(RestartGuard.OFF));
  }

  private static Released release(LockBackend backend, Request request) {
    return backend.release(request.name(), request.id(), soon());
  }

  @Test
  void theRestartGuardDelaysGrants() {
    LockBackend backend = namespace.backend();

    assertThat(backend.grab(request(session(backend), "a", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Delayed.class);
  }

  @Test
  void aLockIsReleasedAndTakenAgainAlsoWhenTheClockIsRight() {
    // given
    LockBackend before = unguarded();
    Request first = request(session(before), "a", IfHeld.REFUSE);
    long number = take(before, first).number();
    assertThat(release(before, first)).isEqualTo(Released.FREED);
    Request second = request(first.id().session(), "a", IfHeld.REFUSE);
    assertThat(take(before, second).number()).isGreaterThan(number);

    // when
    clock.setRight();

    // then
    LockBackend after = unguarded();
    LockRecord held = after.inspect(second.name(), soon()).orElseThrow();
    assertThat(held.holders()).extracting(holder -> holder.request()).containsExactly(second.id());
    assertThat(release(before, second)).isEqualTo(Released.FREED);
    Request third = request(session(after), "a", IfHeld.REFUSE);
    take(after, third);
    assertThat(after.inspect(third.name(), soon()).orElseThrow().holders())
        .extracting(holder -> holder.request())
        .containsExactly(third.id());
    assertThat(release(after, third)).isEqualTo(Released.FREED);
    take(after, request(third.id().session(), "a", IfHeld.REFUSE));
  }

  @Test
  void numbersRiseWhenTheClockIsSetBackToThen() {
    clock.setRight();
    LockBackend backend = unguarded();
    Request first = request(session(backend), "a", IfHeld.REFUSE);
    long number = take(backend, first).number();
    release(backend, first);

    setClock(EARLIER);

    Request second = request(session(backend), "a", IfHeld.REFUSE);
    assertThat(take(backend, second).number()).isGreaterThan(number);
  }
}
