package io.holdfast.etcd.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.etcd.EtcdLockProvider;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
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

/** A remembered place never stands for what etcd says: other copies and clients may change it. */
@Tag("server")
class EtcdPlacesTest {

  private static final LockName LOCK = new LockName("a");

  private static EtcdServer server;

  private final String prefix = "/places/" + UUID.randomUUID();

  private LockBackend backend;
  private LockBackend elsewhere;
  private SpiClient mine;
  private SpiClient other;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void open() {
    backend = connect();
    elsewhere = connect();
    mine = SpiClient.open(backend, StoreFixture.LONG);
    other = SpiClient.open(elsewhere, StoreFixture.LONG);
  }

  private LockBackend connect() {
    return new EtcdLockProvider()
        .connect(
            "etcd://" + server.address() + prefix, BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void close() {
    backend.close();
    elsewhere.close();
  }

  /** Its request has left, and a late copy of its grab has put it behind another. */
  private Request heldAndNowBehind(Held[] holder) {
    Request request = mine.waitingRequest(LOCK);
    mine.hold(request);
    mine.on(elsewhere).release(request);
    holder[0] = other.hold(LOCK);
    assertThat(mine.on(elsewhere).grab(request)).isEqualTo(new Attempt.Queued());
    return request;
  }

  @Test
  void whoWasTheFirstAndIsNotAnyMoreIsToldThatItWaits() {
    Held[] holder = new Held[1];
    Request request = heldAndNowBehind(holder);

    mine.requireWaiting(request, 1);

    other.release(holder[0]);
    assertThat(mine.holding(request).number()).isGreaterThan(holder[0].number());
  }

  @Test
  void whoWasTheFirstAndIsNotAnyMoreHandsNothingOn() {
    Held[] holder = new Held[1];
    Request request = heldAndNowBehind(holder);

    assertThat(mine.release(request)).isEqualTo(Released.WAS_WAITING);

    other.holding(holder[0].request());
  }

  @Test
  void whoIsGoneIsAbsent() {
    Held held = mine.hold(LOCK);
    mine.on(elsewhere).release(held);

    assertThat(mine.standing(held.request())).isEqualTo(new Standing.Absent());
    assertThat(mine.release(held)).isEqualTo(Released.NOTHING);
  }

  @Test
  void whoWasHandedTheLockUnnoticedHandsItOn() {
    Held held = other.hold(LOCK);
    Request waits = mine.queue(LOCK);
    Request last = other.queue(LOCK);
    other.release(held);

    assertThat(mine.release(waits)).isEqualTo(Released.HANDED_ON);

    other.holding(last);
  }

  /** Only the one in between gives up: the place of the last is not the one that it saw. */
  @Test
  void whoIsBehindOneThatLeftFindsItsNewPredecessor() {
    Held held = other.hold(LOCK);
    Request gaveUp = other.queue(LOCK);
    Request waits = mine.queue(LOCK);
    mine.requireWaiting(waits, 2);
    other.release(gaveUp);

    mine.requireWaiting(waits, 1);
    assertThat(mine.release(waits)).isEqualTo(Released.WAS_WAITING);

    assertThat(other.release(held)).isEqualTo(Released.FREED);
  }
}
