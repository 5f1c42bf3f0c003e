package io.holdfast.tck.rules.queue;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.ConcurrentCalls;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Taking a lock: by one request at a time, once per request however often it is asked. */
@Topic(value = "GRB", level = Level.CORE, clause = "LockBackend.grab")
public interface GrabRules extends SpiRules {

  @Test
  @Rule("HF-GRB-01")
  default void aFreeLockIsGranted() {
    Held held = fixture().client().hold(LOCK);

    assertThat(held.number()).isPositive();
  }

  @Test
  @Rule("HF-GRB-02")
  default void aHeldLockIsRefusedWithItsHoldersData() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);

    Attempt refused = fixture().client().grab(fixture().client().request(LOCK));

    assertThat(refused).isInstanceOf(Attempt.Refused.class);
    LockRecord record = ((Attempt.Refused) refused).record();
    assertThat(record.name()).isEqualTo(LOCK);
    assertThat(record.number()).isEqualTo(held.number());
    Holder seen = record.holder().orElseThrow();
    assertThat(seen.request()).isEqualTo(held.request().id());
    assertThat(seen.mode()).isEqualTo(LockMode.EXCLUSIVE);
    assertThat(seen.process()).isEqualTo(held.request().process());
    assertThat(seen.liveness()).isEqualTo(Liveness.LIVE);
    assertThat(seen.revokedAt()).isEmpty();
  }

  @Test
  @Rule("HF-GRB-03")
  default void aRefusedRequestLeavesNothingBehind() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient other = fixture().client();
    Request refused = other.request(LOCK);

    assertThat(other.grab(refused)).isInstanceOf(Attempt.Refused.class);

    assertThat(other.standing(refused)).isEqualTo(new Standing.Absent());
    assertThat(holder.inspect(LOCK).orElseThrow().waiters()).isEmpty();
    holder.release(held);
    other.requireFree(LOCK);
  }

  @Test
  @Rule("HF-GRB-04")
  default void repeatingAGrabThatWasGrantedIsTheSameGrant() {
    SpiClient client = fixture().client();
    Held held = client.hold(LOCK);

    assertThat(client.hold(held.request())).isEqualTo(held);
    assertThat(client.on(fixture().connect()).hold(held.request())).isEqualTo(held);

    client.release(held);
    client.requireFree(LOCK);
  }

  @Test
  @Rule("HF-GRB-05")
  default void repeatingAGrabThatWasQueuedKeepsItsPlace() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient first = fixture().client();
    Request waits = first.queue(LOCK);
    SpiClient second = fixture().client();
    Request behind = second.queue(LOCK);

    assertThat(first.grab(waits)).isEqualTo(new Attempt.Queued());

    assertThat(first.waiting(waits).ahead()).isEqualTo(1);
    assertThat(second.waiting(behind).ahead()).isEqualTo(2);
    assertThat(holder.inspect(LOCK).orElseThrow().waiters()).hasSize(2);
    holder.release(held);
    first.release(first.hold(waits));
    second.hold(behind);
  }

  @Test
  @Rule("HF-GRB-06")
  default void aGrabWhoseAnswerWasLostIsOneGrab() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Request request = client.waitingRequest(LOCK);
    faulty.next(Verb.GRAB, Fault.answerLost());

    assertThatThrownBy(() -> client.grab(request)).isInstanceOf(BackendFailure.class);
    Held held = client.hold(request);

    client.release(held);
    client.requireFree(LOCK);
  }

  @Test
  @Rule("HF-GRB-07")
  default void aGrabThatArrivesTwiceIsOneGrab() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    faulty.next(Verb.GRAB, Fault.doubled());

    Held held = client.hold(client.waitingRequest(LOCK));

    client.release(held);
    client.requireFree(LOCK);
  }

  /** A lock is not re-entrant in the store: who shares a grant does so in front of it. */
  @Test
  @Rule("HF-GRB-08")
  default void twoRequestsOfOneSessionAreTwo() {
    SpiClient client = fixture().client();
    Held held = client.hold(LOCK);

    assertThat(client.refused(LOCK).request()).isEqualTo(held.request().id());
    Request second = client.queue(LOCK);
    client.release(held);
    assertThat(client.holding(second).number()).isGreaterThan(held.number());
  }

  @Test
  @Rule("HF-GRB-09")
  default void oneSessionHoldsManyLocks() {
    SpiClient client = fixture().client();
    List<Held> all =
        IntStream.range(0, 50).mapToObj(i -> client.hold(new LockName("many/" + i))).toList();

    for (Held held : all) {
      client.keepAlive();
      assertThat(client.holding(held.request())).isEqualTo(held);
    }
  }

  @Test
  @Rule("HF-GRB-10")
  default void aSessionThatIsOverIsGrantedNothing() {
    SpiClient client = fixture().client();
    SpiClient witness = fixture().client();
    client.closeSession();

    assertThat(client.grab(client.waitingRequest(LOCK))).isEqualTo(new Attempt.SessionOver());
    assertThat(client.grab(client.request(LOCK))).isEqualTo(new Attempt.SessionOver());

    witness.requireFree(LOCK);
  }

  @Test
  @Rule("HF-GRB-11")
  default void aSessionThatIsOverJoinsNoQueue() {
    SpiClient holder = fixture().client();
    holder.hold(LOCK);
    SpiClient client = fixture().client();
    client.closeSession();

    assertThat(client.grab(client.waitingRequest(LOCK))).isEqualTo(new Attempt.SessionOver());
    assertThat(holder.inspect(LOCK).orElseThrow().waiters()).isEmpty();
  }

  @Test
  @Rule("HF-GRB-12")
  default void aSessionThatWasNeverOpenedIsGrantedNothing() {
    SpiClient witness = fixture().client();
    SpiClient nobody = SpiClient.of(fixture().connect(), StoreFixture.spec().id());

    assertThat(nobody.grab(nobody.waitingRequest(LOCK))).isEqualTo(new Attempt.SessionOver());
    witness.requireFree(LOCK);
  }

  /** It held, and it is told that it does not any more: its belief must not outlive its session. */
  @Test
  @Rule("HF-GRB-13")
  default void aGrabRepeatedAfterItsSessionIsOverIsNotGranted() {
    SpiClient client = fixture().client();
    Held held = client.hold(LOCK);
    client.on(fixture().connect()).end(EndIf.CLOSED);

    assertThat(client.grab(held.request())).isEqualTo(new Attempt.SessionOver());
  }

  @Test
  @Rule("HF-GRB-14")
  default void ofManyWhoGrabAtOnceExactlyOneIsGranted() {
    List<SpiClient> clients = Stream.generate(() -> fixture().client()).limit(8).toList();

    for (int round = 0; round < 20; round++) {
      LockName name = new LockName("rush/" + round);
      List<Attempt> attempts =
          ConcurrentCalls.call(clients.stream().map(client -> grabbing(client, name)).toList());

      assertThat(attempts).filteredOn(Attempt.Granted.class::isInstance).hasSize(1);
      assertThat(attempts).filteredOn(Attempt.Refused.class::isInstance).hasSize(7);
      clients.forEach(SpiClient::keepAlive);
    }
  }

  private static Callable<Attempt> grabbing(SpiClient client, LockName name) {
    return () -> client.grab(client.request(name));
  }

  @Test
  @Rule("HF-GRB-15")
  default void copiesOfOneGrabThatArriveAtOnceAreOneGrant() {
    SpiClient client = fixture().client();
    List<SpiClient> ways = Stream.generate(() -> client.on(fixture().connect())).limit(4).toList();

    for (int round = 0; round < 20; round++) {
      Request request = client.waitingRequest(new LockName("copies/" + round));
      List<Held> grants =
          ConcurrentCalls.call(ways.stream().map(way -> holding(way, request)).toList());

      assertThat(grants).containsOnly(grants.get(0));
      client.release(request);
      client.requireFree(request.name());
      client.keepAlive();
      ways.forEach(SpiClient::keepAlive); // Some adapters leave what they have not renewed.
    }
  }

  private static Callable<Held> holding(SpiClient way, Request request) {
    return () -> way.hold(request);
  }

  /** What a client remembers of a lock that it gave back does not speak for its session. */
  @Test
  @Rule("HF-GRB-16")
  default void aSessionThatIsOverIsNotGrantedAgainWhatItGaveBack() {
    SpiClient client = fixture().client();
    SpiClient witness = fixture().client();
    for (int pair = 0; pair < 2; pair++) {
      client.release(client.hold(LOCK));
    }
    client.closeSession();

    assertThat(client.grab(client.waitingRequest(LOCK))).isEqualTo(new Attempt.SessionOver());
    assertThat(client.grab(client.request(LOCK))).isEqualTo(new Attempt.SessionOver());

    witness.requireFree(LOCK);
  }
}
