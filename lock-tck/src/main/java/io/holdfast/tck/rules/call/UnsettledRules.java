package io.holdfast.tck.rules.call;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.LateCopy;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/**
 * Late copies of calls that were given up. No store can tell them from wishes, but each is seen by
 * looking, undone by releasing, and harmless to others.
 */
@Topic(
    value = "UNS",
    level = Level.CORE,
    clause = "LockBackend: idempotent per request or session id")
public interface UnsettledRules extends SpiRules {

  @Test
  @Rule(value = "HF-UNS-01", marked = 5)
  default void aLateCopyOfAGrabAfterItsReleaseIsSeenByLookAndReleased() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Request request = client.waitingRequest(LOCK);
    LateCopy copy = givenUp(faulty, Verb.GRAB, () -> client.grab(request));
    Held held = client.hold(request);
    client.release(held);
    assertThat(client.standing(request)).isEqualTo(new Standing.Absent());

    copy.deliver();

    // Held without its client's knowledge: only a look brings it to light. Its number is a new one.
    Held ghost = client.holding(request);
    assertThat(ghost.number()).isGreaterThan(held.number());
    assertThat(client.release(request)).isEqualTo(Released.FREED);
    client.requireFree(LOCK);
  }

  @Test
  @Rule("HF-UNS-02")
  default void aLateCopyOfAGrabAfterItsRefusalIsSeenByLookAndReleased() {
    SpiClient other = fixture().client();
    Held held = other.hold(LOCK);
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Request request = client.request(LOCK);
    LateCopy copy = givenUp(faulty, Verb.GRAB, () -> client.grab(request));
    assertThat(client.grab(request)).isInstanceOf(Attempt.Refused.class);
    other.release(held);

    copy.deliver();

    client.holding(request);
    assertThat(client.release(request)).isEqualTo(Released.FREED);
    client.requireFree(LOCK);
  }

  @Test
  @Rule("HF-UNS-03")
  default void aLateCopyOfAGrabAfterItsWithdrawalIsSeenByLookAndReleased() {
    SpiClient other = fixture().client();
    Held held = other.hold(LOCK);
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Request request = client.waitingRequest(LOCK);
    LateCopy copy = givenUp(faulty, Verb.GRAB, () -> client.grab(request));
    assertThat(client.grab(request)).isEqualTo(new Attempt.Queued());
    assertThat(client.release(request)).isEqualTo(Released.WAS_WAITING);

    copy.deliver();

    client.waiting(request);
    assertThat(client.release(request)).isEqualTo(Released.WAS_WAITING);
    assertThat(other.release(held)).isEqualTo(Released.FREED);
  }

  @Test
  @Rule("HF-UNS-04")
  default void aLateCopyOfAGrabFindsItsSessionOver() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    LateCopy copy = givenUp(faulty, Verb.GRAB, () -> client.grab(client.waitingRequest(LOCK)));
    client.closeSession();

    assertThat(copy.deliver()).isEqualTo(new Attempt.SessionOver());

    fixture().client().requireFree(LOCK);
  }

  @Test
  @Rule("HF-UNS-05")
  default void aLateCopyOfAnOvertakeTakesNothingAgain() {
    Held observed = fixture().deadHolder(LOCK);
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Request request = client.request(LOCK);
    LateCopy copy =
        givenUp(faulty, Verb.OVERTAKE, () -> client.overtake(request, observed.observed()));
    assertThat(client.overtake(request, observed.observed())).isInstanceOf(Attempt.Granted.class);
    client.release(request);

    copy.deliver();

    assertThat(client.standing(request)).isEqualTo(new Standing.Absent());
    client.requireFree(LOCK);
  }

  @Test
  @Rule("HF-UNS-06")
  default void aLateCopyOfAReleaseFreesNothing() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Held held = client.hold(LOCK);
    LateCopy copy = givenUp(faulty, Verb.RELEASE, () -> client.release(held));
    client.release(held);
    SpiClient next = fixture().client();
    Held nextHeld = next.hold(LOCK);

    assertThat(copy.deliver()).isEqualTo(Released.NOTHING);

    assertThat(next.holding(nextHeld.request())).isEqualTo(nextHeld);
  }

  @Test
  @Rule("HF-UNS-07")
  default void aLateCopyOfARenewalRevivesNobody() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    LateCopy copy = givenUp(faulty, Verb.RENEW, client::renew);
    client.closeSession();

    assertThat(copy.deliver()).isEqualTo(new Renewed.Over());
    assertThat(client.renew()).isEqualTo(new Renewed.Over());
  }

  @Test
  @Rule("HF-UNS-08")
  default void aLateCopyOfARevocationIsAboutTheGrantItSaw() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient operator = SpiClient.open(faulty, LONG);
    LateCopy copy =
        givenUp(faulty, Verb.REVOKE, () -> operator.revoke(held.observed(), RevokeWhen.NOW));
    holder.release(held);
    Held next = holder.hold(LOCK);

    assertThat(copy.deliver()).isEqualTo(new Revocation.Changed());

    assertThat(holder.holding(next.request())).isEqualTo(next);
    assertThat(holder.toldRevoked()).doesNotContain(next.request().id());
  }

  private static LateCopy givenUp(FaultyBackend faulty, Verb verb, Runnable call) {
    LateCopy copy = faulty.next(verb, new LateCopy());
    assertThatThrownBy(call::run).isInstanceOf(BackendFailure.class);
    return copy;
  }
}
