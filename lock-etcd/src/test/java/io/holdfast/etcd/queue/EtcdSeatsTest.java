package io.holdfast.etcd.queue;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.LockName;
import io.holdfast.etcd.EtcdLocks;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.record.Liveness;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests of a session have one key, one after the other, and are told apart all the same. */
@Tag("server")
class EtcdSeatsTest {

  private static final LockName LOCK = new LockName("a");

  private static EtcdServer server;
  private static Client client;

  private final String prefix = "seats/" + UUID.randomUUID();

  private EtcdKeys keys;
  private LockBackend backend;
  private LockBackend elsewhere;
  private SpiClient mine;
  private SpiClient other;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
    client = Client.builder().endpoints("http://" + server.address()).build();
  }

  @AfterAll
  static void stopServer() {
    client.close();
    server.close();
  }

  @BeforeEach
  void open() {
    keys = new EtcdKeys(client, prefix);
    backend = connect();
    elsewhere = connect();
    mine = SpiClient.open(backend, LONG);
    other = SpiClient.open(elsewhere, LONG);
  }

  private LockBackend connect() {
    return EtcdLocks.on(client, prefix).connect(BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void close() {
    backend.close();
    elsewhere.close();
  }

  private String ofSession(SpiClient client) {
    return "l:a⇥x" + client.session();
  }

  /** Returns a request that has come to the seat of another, which has left. */
  private Held second() {
    mine.release(mine.hold(LOCK));
    Held second = mine.hold(LOCK);
    assertThat(keys.ofLocks()).containsExactly(ofSession(mine));
    return second;
  }

  @Test
  void whatIsTakenAgainAndAgainHasOneKey() {
    for (int i = 0; i < 5; i++) {
      Held held = mine.hold(LOCK);
      assertThat(keys.ofLocks()).containsExactly(ofSession(mine));
      assertThat(mine.release(held)).isEqualTo(Released.FREED);
      assertThat(keys.ofLocks()).isEmpty();
    }
  }

  @Test
  void soHasWhatIsWaitedForAndWhatIsRefused() {
    Held held = other.hold(LOCK);
    for (int i = 0; i < 3; i++) {
      mine.refused(LOCK);
      Request waits = mine.queue(LOCK);
      assertThat(keys.ofLocks()).containsExactlyInAnyOrder(ofSession(mine), ofSession(other));
      mine.requireWaiting(waits, 1);
      assertThat(mine.release(waits)).isEqualTo(Released.WAS_WAITING);
    }
    Request waits = mine.queue(LOCK);
    other.release(held);
    assertThat(mine.release(mine.holding(waits))).isEqualTo(Released.FREED);
    Held next = mine.hold(LOCK);
    assertThat(keys.ofLocks()).containsExactly(ofSession(mine));
    mine.release(next);
  }

  @Test
  void whatComesLateAboutTheFirstDoesNothingToTheSecond() {
    Held first = mine.hold(LOCK);
    mine.release(first);
    Held second = mine.hold(LOCK);

    assertThat(mine.release(first)).isEqualTo(Released.NOTHING);
    assertThat(mine.on(elsewhere).release(first)).isEqualTo(Released.NOTHING);
    assertThat(other.revoke(first.observed(), RevokeWhen.NOW)).isEqualTo(new Revocation.Changed());
    assertThat(backend.downgrade(first.request().key(), StoreFixture.soon())).isEmpty();
    assertThat(mine.releaseAfter(first.request(), LONG)).isEqualTo(Released.NOTHING);
    assertThat(mine.standing(first.request())).isEqualTo(new Standing.Absent());
    assertThat(mine.holding(second.request())).isEqualTo(second);
  }

  @Test
  void othersSeeWhichRequestItIs() {
    Held second = second();
    Request waits = other.queue(LOCK);

    assertThat(other.inspect(LOCK).orElseThrow().holders())
        .singleElement()
        .matches(holder -> holder.request().equals(second.request().id()));
    assertThat(backend.waitersBehind(LOCK, waits.id(), 9, StoreFixture.soon())).contains(List.of());
    assertThat(backend.waitersBehind(LOCK, second.request().id(), 9, StoreFixture.soon()))
        .isEmpty();
  }

  @Test
  void itsMarksNameIt() {
    mine = SpiClient.open(backend, Duration.ofSeconds(2));
    Held second = second();
    Request next = other.queue(LOCK);
    Request last = other.queue(LOCK);
    other.revoke(second.observed(), RevokeWhen.SAFELY);

    assertThat(mine.toldRevoked()).containsExactly(second.request().id());
    await("the time to stop is over")
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              mine.renewed();
              return !other.waiting(next).obstacles().isEmpty();
            });
    for (Request waits : List.of(next, last)) {
      assertThat(other.waiting(waits).obstacles())
          .containsExactly(
              new Obstacle(second.observed(), second.request().id(), Liveness.REVOCATION_DUE));
    }
    assertThat(other.overtake(next, second.observed())).isInstanceOf(Attempt.Granted.class);
  }

  /** Its session goes on, and what it does next must not be taken for what stays. */
  @Test
  void whatStaysIsNotTakenForWhatComesAfterIt() {
    Held second = second();
    mine.releaseAfter(second.request(), LONG);

    Request waits = mine.queue(LOCK);

    mine.requireWaiting(waits, 1);
    assertThat(mine.standing(second.request())).isEqualTo(new Standing.Absent());
    assertThat(keys.ofLocks())
        .containsExactlyInAnyOrder(
            ofSession(mine), "l:a⇥x" + waits.id(), "m:a⇥x" + mine.session() + "⇥g");
    assertThat(mine.release(waits)).isEqualTo(Released.WAS_WAITING);
    Request late = second.request();
    assertThat(mine.grab(late.with(IfHeld.QUEUE))).isInstanceOf(Attempt.Refused.class);
    assertThat(mine.grab(late.with(IfHeld.REFUSE))).isInstanceOf(Attempt.Refused.class);
    mine.refused(LOCK);
    assertThat(keys.ofLocks())
        .containsExactlyInAnyOrder(ofSession(mine), "m:a⇥x" + mine.session() + "⇥g");
  }

  @Test
  void whatStaysAtASeatOfItsOwnIsNotPutAgain() {
    Held first = mine.hold(LOCK);
    Request waits = mine.queue(LOCK);
    mine.release(first);
    Held second = mine.holding(waits);
    mine.releaseAfter(second.request(), LONG);

    assertThat(mine.grab(waits)).isInstanceOf(Attempt.Refused.class);
    assertThat(mine.grab(waits.with(IfHeld.REFUSE))).isInstanceOf(Attempt.Refused.class);
  }

  /** As after a release whose answer was lost, or when an operator has removed the holder. */
  @Test
  void theSeatOfOneThatIsGoneIsTheNextOnes() {
    Held first = mine.hold(LOCK);
    mine.on(elsewhere).release(first);
    assertThat(mine.release(first)).isEqualTo(Released.NOTHING);
    Held second = mine.hold(LOCK);
    other.revoke(second.observed(), RevokeWhen.NOW);
    assertThat(mine.release(second)).isEqualTo(Released.NOTHING);

    mine.hold(LOCK);

    assertThat(keys.ofLocks()).containsExactly(ofSession(mine));
  }

  /** What was written about the first is gone with it. */
  @Test
  void whatWasDowngradedOrRevokedLeavesItsSeatToTheNext() {
    Held held = mine.hold(LOCK);
    mine.release(mine.downgrade(held));
    Held revoked = mine.hold(LOCK);
    other.revoke(revoked.observed(), RevokeWhen.SAFELY);
    mine.release(revoked);

    Held third = mine.hold(LOCK);

    assertThat(keys.ofLocks()).containsExactly(ofSession(mine));
    assertThat(other.holder(LOCK).revokedAt()).isEmpty();
    assertThat(mine.holding(third.request())).isEqualTo(third);
  }

  @Test
  void whoResumesTheSessionFindsIt() {
    Held second = second();

    assertThat(
            ((ResumableSessions) elsewhere)
                .resume(mine.session(), StoreFixture.soon())
                .orElseThrow()
                .requests())
        .containsExactly(second.request().key());
    SpiClient resumed = mine.on(elsewhere);
    assertThat(resumed.grab(second.request())).isInstanceOf(Attempt.Granted.class);
    assertThat(resumed.holding(second.request())).isEqualTo(second);
    Request behind = resumed.queue(LOCK);
    assertThat(resumed.release(second)).isEqualTo(Released.HANDED_ON);
    assertThat(keys.ofLocks()).containsExactly("l:a⇥x" + behind.id());
  }

  /** Nothing else could take it away while the session lives. */
  @Test
  void whatComesToTheSeatWhenItsRequestHasLeftIsRemoved() throws Exception {
    Held first = mine.hold(LOCK);
    RequestKey key = first.request().key();
    KeyValue held = keys.of(key);
    mine.release(first);
    client
        .getKVClient()
        .put(
            held.getKey(),
            StoredRequest.encode(first.request(), Instant.EPOCH),
            PutOption.builder().withLeaseId(held.getLease()).build())
        .get(60, TimeUnit.SECONDS);
    assertThat(keys.ofLocks()).containsExactly(ofSession(mine));

    Held second = mine.hold(LOCK);

    assertThat(second.number()).isGreaterThan(first.number());
    assertThat(mine.release(second)).isEqualTo(Released.FREED);
  }
}
