package io.holdfast.tck.rules.call;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.LateCopy;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Late copies of calls in shared mode, and of the calls about what stays: like those of {@link
 * UnsettledRules}, they are about the request that they were sent for, and harm no other.
 */
@Topic(value = "LAT", level = Level.CORE, clause = "LockBackend: idempotent per request id")
public interface LateCopyRules extends SpiRules {

  private void requireSharedMode() {
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "Locks of this store are exclusive.");
  }

  private Iterable<LockMode> modes() {
    return fixture().capabilities().modes();
  }

  /** A lock for each mode. */
  private static LockName lock(LockMode mode) {
    return new LockName("late/" + mode);
  }

  private static Held hold(SpiClient client, LockMode mode) {
    return client.hold(client.request(lock(mode)).with(mode));
  }

  private static LateCopy givenUp(FaultyBackend faulty, Verb verb, Runnable call) {
    LateCopy copy = faulty.next(verb, new LateCopy());
    assertThatThrownBy(call::run).isInstanceOf(BackendFailure.class);
    return copy;
  }

  private static void requireHolding(SpiClient client, Held held) {
    assertThat(client.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule(value = "HF-LAT-01", marked = 5)
  default void aLateCopyOfASharedGrabAfterItsReleaseIsSeenByLookAndReleased() {
    requireSharedMode();
    SpiClient other = fixture().client();
    Held stays = other.share(LOCK);
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Request request = client.sharedRequest(LOCK);
    LateCopy copy = givenUp(faulty, Verb.GRAB, () -> client.grab(request));
    client.hold(request);
    assertThat(client.release(request)).isEqualTo(Released.SHARED);

    copy.deliver();

    client.holding(request);
    assertThat(client.release(request)).isEqualTo(Released.SHARED);
    requireHolding(other, stays);
    assertThat(other.release(stays)).isEqualTo(Released.FREED);
  }

  @Test
  @Rule("HF-LAT-02")
  default void aLateCopyOfASharedGrabPassesNoExclusiveRequestThatWaits() {
    requireSharedMode();
    SpiClient reader = fixture().client();
    Held held = reader.share(LOCK);
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Request request = client.sharedRequest(LOCK);
    LateCopy copy = givenUp(faulty, Verb.GRAB, () -> client.grab(request));
    SpiClient writer = fixture().client();
    Request waits = writer.queue(LOCK);

    assertThat(copy.deliver()).isEqualTo(new Attempt.Queued());

    assertThat(client.release(request)).isEqualTo(Released.WAS_WAITING);
    assertThat(reader.release(held)).isEqualTo(Released.HANDED_ON);
    writer.holding(waits);
  }

  @Test
  @Rule("HF-LAT-03")
  default void aLateCopyOfAReleaseLeavesTheOthersOfTheRun() {
    requireSharedMode();
    SpiClient other = fixture().client();
    Held stays = other.share(LOCK);
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Held held = client.share(LOCK);
    LateCopy copy = givenUp(faulty, Verb.RELEASE, () -> client.release(held));
    client.release(held);
    Held again = client.share(LOCK);

    assertThat(copy.deliver()).isEqualTo(Released.NOTHING);

    requireHolding(client, again);
    requireHolding(other, stays);
  }

  @Test
  @Rule("HF-LAT-04")
  default void aLateCopyOfASharedOvertakeTakesNothingFromAnother() {
    requireSharedMode();
    SpiClient dead = fixture().client();
    Held observed = dead.share(LOCK);
    dead.closeSession();
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Request request = client.request(LOCK).with(LockMode.SHARED);
    LateCopy copy =
        givenUp(faulty, Verb.OVERTAKE, () -> client.overtake(request, observed.observed()));
    client.overtake(request, observed.observed());
    client.release(request);
    SpiClient writer = fixture().client();
    Held next = writer.hold(LOCK);

    assertThat(copy.deliver()).isInstanceOf(Attempt.Refused.class);

    assertThat(client.standing(request)).isEqualTo(new Standing.Absent());
    requireHolding(writer, next);
  }

  @Test
  @Rule(value = "HF-LAT-05", marked = 17)
  default void aLateCopyOfADowngradeChangesNoNumberAndNoOtherGrant() {
    requireSharedMode();
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    Held exclusive = client.hold(LOCK);
    LateCopy copy = givenUp(faulty, Verb.DOWNGRADE, () -> client.downgrade(exclusive));
    Held shared = client.downgrade(exclusive);
    SpiClient reader = fixture().client();
    Held joined = reader.share(LOCK);

    assertThat(copy.deliver()).isEqualTo(OptionalLong.of(shared.number()));
    assertThat(client.holding(exclusive.request()).number()).isEqualTo(shared.number());
    requireHolding(reader, joined);
    client.release(shared);
    assertThat(reader.release(joined)).isEqualTo(Released.FREED);
    Held next = client.hold(LOCK);
    assertThat(copy.deliver()).isEqualTo(OptionalLong.empty());

    requireHolding(client, next);
    Request late = reader.request(LOCK, IfHeld.REFUSE, "", next.request().payload());
    assertThat(reader.grab(late.with(LockMode.SHARED))).isInstanceOf(Attempt.Refused.class);
  }

  @Test
  @Rule(value = "HF-LAT-06", marked = 19)
  default void aLateCopyOfAReleaseThatStaysKeepsNothingTaken() {
    fixture().requireStays(Stays.AT_LEAST);
    for (LockMode mode : modes()) {
      FaultyBackend faulty = new FaultyBackend(fixture().connect());
      SpiClient client = SpiClient.open(faulty, LONG);
      Held held = hold(client, mode);
      LateCopy copy =
          givenUp(faulty, Verb.RELEASE_AFTER, () -> client.releaseAfter(held.request(), LONG));
      assertThat(client.release(held)).as("release in mode %s", mode).isEqualTo(Released.FREED);
      Held next = hold(client, mode);

      assertThat(copy.deliver()).as("late copy in mode %s", mode).isEqualTo(Released.NOTHING);

      requireHolding(client, next);
      assertThat(client.release(next)).as("release in mode %s", mode).isEqualTo(Released.FREED);
      client.requireFree(lock(mode));
    }
  }

  @Test
  @Rule("HF-LAT-07")
  default void aLateCopyOfARevocationInARunIsAboutTheRequestItSaw() {
    requireSharedMode();
    SpiClient one = fixture().client();
    SpiClient two = fixture().client();
    Held first = one.share(LOCK);
    Held second = two.share(LOCK);
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient operator = SpiClient.open(faulty, LONG);
    LateCopy copy =
        givenUp(faulty, Verb.REVOKE, () -> operator.revoke(second.observed(), RevokeWhen.NOW));
    two.release(second);
    Held again = two.share(LOCK);

    assertThat(copy.deliver()).isEqualTo(new Revocation.Changed());

    requireHolding(one, first);
    requireHolding(two, again);
    assertThat(one.toldRevoked()).isEmpty();
    assertThat(two.toldRevoked()).doesNotContain(again.request().id());
  }

  @Test
  @Rule("HF-LAT-08")
  default void aLateCopyOfANoticeIsAboutTheGrantItSaw() {
    fixture().requireStays(Stays.REVOKE_LATER);
    for (LockMode mode : modes()) {
      SpiClient holder = fixture().client();
      Held held = hold(holder, mode);
      FaultyBackend faulty = new FaultyBackend(fixture().connect());
      LateCopy copy =
          givenUp(
              faulty,
              Verb.REVOKE_IN,
              () -> faulty.revokeIn(held.observed(), LONG, StoreFixture.soon()));
      holder.release(held);
      Held next = hold(holder, mode);

      assertThat(copy.deliver()).as("late copy in %s", mode).isEqualTo(new Revocation.Changed());

      requireHolding(holder, next);
      assertThat(holder.toldRevoked()).doesNotContain(next.request().id());
      assertThat(holder.holder(lock(mode)).stay()).as("stay of %s", next).isEmpty();
    }
  }

  @Test
  @Rule("HF-LAT-09")
  default void aLateCopyOfAnAcknowledgementLeavesTheNextNotice() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient holder = SpiClient.open(faulty, LONG);
    Held held = holder.hold(LOCK);
    holder.revoke(held.observed(), RevokeWhen.NOW);
    LateCopy copy = givenUp(faulty, Verb.ACKNOWLEDGE, () -> holder.acknowledge(held.request()));
    holder.acknowledge(held.request());
    Held next = holder.hold(LOCK);
    holder.revoke(next.observed(), RevokeWhen.NOW);

    copy.deliver();

    assertThat(holder.toldRevoked()).containsExactly(next.request().id());
  }
}
