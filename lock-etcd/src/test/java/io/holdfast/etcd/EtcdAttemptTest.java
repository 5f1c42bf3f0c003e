package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.record.Waiter;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An attempt without waiting stands in the queue between its two calls, and what happens then. */
@Tag("server")
class EtcdAttemptTest {

  private static final LockName LOCK = new LockName("a");

  private static EtcdServer server;

  private final String prefix = "/attempt/" + UUID.randomUUID();

  private LockBackend elsewhere;
  private LockBackend backend;
  private SpiClient holder;
  private SpiClient waiter;
  private SpiClient mine;
  private Held held;

  /** What happens before the second step from now on. */
  private Runnable between = () -> {};

  private int calls;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void hold() {
    elsewhere = connect(() -> {});
    backend = connect(this::step);
    holder = SpiClient.open(elsewhere, StoreFixture.LONG);
    waiter = SpiClient.open(elsewhere, StoreFixture.LONG);
    mine = SpiClient.open(backend, StoreFixture.LONG);
    held = holder.hold(LOCK);
  }

  @AfterEach
  void close() {
    backend.close();
    elsewhere.close();
  }

  private LockBackend connect(Runnable beforeStep) {
    return EtcdLockProvider.connect(
        "etcd://" + server.address() + prefix,
        BackendOptions.DEFAULTS,
        beforeStep,
        StoreFixture.soon());
  }

  private void step() {
    calls++;
    if (calls == 2) {
      between.run();
    }
  }

  private Attempt attempt(Request request, Runnable inTheMeantime) {
    calls = 0;
    between = inTheMeantime;
    Attempt attempt = mine.grab(request);
    assertThat(calls).isGreaterThan(1);
    return attempt;
  }

  @Test
  void anAttemptThatBecameTheHeadBeforeItLeftHolds() {
    Request request = mine.request(LOCK);

    Attempt attempt = attempt(request, () -> holder.release(held));

    assertThat(attempt).isInstanceOf(Attempt.Granted.class);
    assertThat(waiter.holder(LOCK).request()).isEqualTo(request.id());
    assertThat(mine.holding(request).number())
        .isEqualTo(((Attempt.Granted) attempt).number())
        .isGreaterThan(held.number());
  }

  /** A place that is remembered would be tried first, and its client may live for months. */
  @Test
  void anAttemptThatWasRepeatedIsNotRemembered() {
    Request request = mine.request(LOCK);
    assertThatThrownBy(() -> attempt(request, EtcdAttemptTest::breakOff))
        .isInstanceOf(BackendFailure.class);
    assertThat(mine.grab(request)).isInstanceOf(Attempt.Refused.class);

    calls = 0;
    between = () -> {};
    assertThat(mine.release(request)).isEqualTo(Released.NOTHING);
    assertThat(calls).as("a search").isOne();
  }

  private static void breakOff() {
    throw new BackendFailure(Effect.UNKNOWN, "broken off", null);
  }

  /** Whoever gives ending a session up is never told that it is over. */
  @Test
  void aSessionWhoseEndFailedIsNotRemembered() {
    Request request = mine.waitingRequest(new LockName("b"));
    mine.hold(request);
    calls = 0;
    between = () -> {};
    mine.renew();
    int renewal = calls;
    calls = 1;
    between = EtcdAttemptTest::breakOff;
    assertThatThrownBy(mine::closeSession).isInstanceOf(BackendFailure.class);

    calls = 0;
    between = () -> {};
    mine.renew();
    assertThat(calls).as("a renewal that asks for the session").isEqualTo(renewal + 1);
  }

  @Test
  void anAttemptHasLeftTheRecordAfterwards() {
    Request behind = waiter.waitingRequest(LOCK);

    Attempt attempt =
        attempt(
            mine.request(LOCK),
            () -> {
              waiter.grab(behind);
              assertThat(holder.inspect(LOCK).orElseThrow().waiters())
                  .as("one that is left behind must be seen")
                  .hasSize(2);
            });

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    assertThat(holder.inspect(LOCK).orElseThrow().waiters())
        .extracting(Waiter::request)
        .containsExactly(behind.id());
    holder.release(held);
    waiter.holding(behind);
  }

  @Test
  void anAttemptBehindAWaiterThatLeftIsRefusedAllTheSame() {
    Request ahead = waiter.queue(LOCK);

    Attempt attempt = attempt(mine.request(LOCK), () -> waiter.release(ahead));

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    holder.release(held);
    assertThat(waiter.isFree(LOCK)).isTrue();
  }

  @Test
  void anAttemptWhoseSessionEndedMeanwhileIsToldSo() {
    Attempt attempt = attempt(mine.request(LOCK), () -> mine.on(elsewhere).closeSession());

    assertThat(attempt).isInstanceOf(Attempt.SessionOver.class);
    holder.release(held);
    assertThat(waiter.isFree(LOCK)).isTrue();
  }

  /** Why it was not put again is read in a second step, and by then it has left. */
  @Test
  void aRepeatedGrabWhoseRequestLeftMeanwhileJoinsAnew() {
    Request request = mine.queue(LOCK);

    Attempt attempt = attempt(request, () -> mine.on(elsewhere).release(request));

    assertThat(attempt).isEqualTo(new Attempt.Queued());
    mine.requireWaiting(request, 1);
    holder.release(held);
    mine.holding(request);
  }
}
