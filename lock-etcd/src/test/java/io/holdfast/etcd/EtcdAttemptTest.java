package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.Waiter;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.Held;
import io.holdfast.tck.rules.SpiClient;
import io.holdfast.tck.server.EtcdServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An attempt without waiting stands in the queue between its two steps, and what happens then. */
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

  private int steps;

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
    holder = SpiClient.open(elsewhere, Bench.LONG);
    waiter = SpiClient.open(elsewhere, Bench.LONG);
    mine = SpiClient.open(backend, Bench.LONG);
    held = holder.hold(LOCK);
  }

  @AfterEach
  void close() {
    backend.close();
    elsewhere.close();
  }

  private LockBackend connect(Runnable beforeStep) {
    return EtcdLockProvider.connect(
        "etcd://" + server.address() + prefix, BackendOptions.DEFAULTS, beforeStep, Bench.soon());
  }

  private void step() {
    steps++;
    if (steps == 2) {
      between.run();
    }
  }

  private Attempt attempt(Request request, Runnable inTheMeantime) {
    steps = 0;
    between = inTheMeantime;
    Attempt attempt = mine.grab(request);
    assertThat(steps).isGreaterThan(1);
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

  @Test
  void anAttemptHasLeftTheRecordAfterwards() {
    Request behind = waiter.patient(LOCK);

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
}
