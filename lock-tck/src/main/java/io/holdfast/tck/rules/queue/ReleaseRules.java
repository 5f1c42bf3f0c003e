package io.holdfast.tck.rules.queue;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static io.holdfast.tck.fixture.StoreFixture.SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/** Giving a lock back: one's own, once, from any place, and never another's. */
@Topic(value = "REL", level = Level.CORE, clause = "LockBackend.release")
public interface ReleaseRules extends SpiRules {

  @Test
  @Rule("HF-REL-01")
  default void aReleaseFreesTheLock() {
    SpiClient client = fixture().client();
    Held held = client.hold(LOCK);

    assertThat(client.release(held)).isEqualTo(Released.FREED);

    assertThat(client.standing(held.request())).isEqualTo(new Standing.Absent());
    client.requireFree(LOCK);
    fixture().client().hold(LOCK);
  }

  @Test
  @Rule("HF-REL-02")
  default void releasingTwiceFreesNothingMore() {
    SpiClient client = fixture().client();
    Held held = client.hold(LOCK);
    client.release(held);
    SpiClient next = fixture().client();
    Held nextHeld = next.hold(LOCK);

    assertThat(client.release(held)).isEqualTo(Released.NOTHING);

    assertThat(next.holding(nextHeld.request())).isEqualTo(nextHeld);
  }

  @Test
  @Rule("HF-REL-03")
  default void aReleaseThatArrivesTwiceDisturbsNobody() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Held held = client.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    faulty.next(Verb.RELEASE, Fault.doubled());

    assertThat(client.release(held)).isEqualTo(Released.NOTHING);

    waiter.holding(waits);
  }

  @Test
  @Rule("HF-REL-04")
  default void aReleaseWhoseAnswerWasLostIsRepeatedWithoutHarm() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Held held = client.hold(LOCK);
    faulty.next(Verb.RELEASE, Fault.answerLost());

    assertThatThrownBy(() -> client.release(held)).isInstanceOf(BackendFailure.class);
    Held other = fixture().client().hold(LOCK);

    assertThat(client.on(fixture().connect()).release(held)).isEqualTo(Released.NOTHING);
    assertThat(client.holder(LOCK).request()).isEqualTo(other.request().id());
  }

  @Test
  @Rule("HF-REL-05")
  default void aReleaseByAnotherRequestFreesNothing() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient other = fixture().client();

    assertThat(other.release(other.request(LOCK))).isEqualTo(Released.NOTHING);
    assertThat(holder.release(holder.request(LOCK))).isEqualTo(Released.NOTHING);
    assertThat(other.release(other.waitingRequest(LOCK))).isEqualTo(Released.NOTHING);

    assertThat(holder.holding(held.request())).isEqualTo(held);
  }

  /** The same session, an earlier request: what it held then is not what it holds now. */
  @Test
  @Rule("HF-REL-06")
  default void anEarlierRequestOfTheHolderReleasesNothing() {
    SpiClient client = fixture().client();
    Held earlier = client.hold(LOCK);
    client.release(earlier);
    Held held = client.hold(LOCK);

    assertThat(client.release(earlier)).isEqualTo(Released.NOTHING);

    assertThat(client.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-REL-07")
  default void aReleaseOfOneLockLeavesTheOthers() {
    SpiClient client = fixture().client();
    Held one = client.hold(new LockName("one"));
    Held two = client.hold(new LockName("two"));

    client.release(one);

    assertThat(client.holding(two.request())).isEqualTo(two);
  }

  @Test
  @Rule("HF-REL-08")
  default void aWaiterThatGivesUpDoesNotDisturbTheHolder() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    assertThat(waiter.release(waits)).isEqualTo(Released.WAS_WAITING);
    assertThat(waiter.release(waits)).isEqualTo(Released.NOTHING);

    assertThat(holder.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-REL-09")
  default void aReleaseOfALockThatNobodyEverTookLeavesNothingBehind() {
    SpiClient client = fixture().client();

    assertThat(client.release(client.request(LOCK))).isEqualTo(Released.NOTHING);

    assertThat(client.inspect(LOCK)).isEmpty();
  }

  @Test
  @Rule("HF-REL-10")
  default void aSessionThatLapsedStillReleases() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient client = fixture().client(SHORT);
    Held held = client.hold(LOCK);
    fixture().lapse();

    assertThat(client.release(held)).isEqualTo(Released.FREED);
    client.renewed();
  }

  /** A session that gives back need not live: so a client that closes may end its session first. */
  @Test
  @Rule("HF-REL-11")
  default void aSessionThatIsOverStillReleases() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient client = fixture().client();
    Held held = client.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    client.closeSession();

    assertThat(client.release(held)).isEqualTo(Released.HANDED_ON);
    waiter.holding(waits);
  }

  @Test
  @Rule("HF-REL-12")
  default void aReleaseAfterBeingOvertakenFreesNothing() {
    Held held = fixture().deadHolder(LOCK);
    SpiClient next = fixture().client();
    Held nextHeld = next.overtake(held.observed());

    assertThat(next.release(held)).isEqualTo(Released.NOTHING);

    assertThat(next.holding(nextHeld.request())).isEqualTo(nextHeld);
  }
}
