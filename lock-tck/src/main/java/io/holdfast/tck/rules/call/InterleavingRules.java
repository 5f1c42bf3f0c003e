package io.holdfast.tck.rules.call;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EachStep;
import io.holdfast.tck.fixture.EngineSteps;
import io.holdfast.tck.fixture.EveryOrder;
import io.holdfast.tck.fixture.EveryOrder.Party;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.Schedules;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/**
 * Two clients' verbs, atomic step by atomic step, in every order. The lock's record is the only
 * point of order: a request that joins is seen or finds the lock free, one that leaves passes on a
 * lock that it was handed meanwhile, and none is forgotten.
 */
@Topic(value = "INT", level = Level.PROCESSES, clause = "LockBackend: one atomic step, or several")
public interface InterleavingRules extends SpiRules {

  private void inEveryOrder(EveryOrder.Duel duel, SpiClient... bystanders) {
    EveryOrder.of(fixture(), duel, bystanders);
  }

  private static void play(Schedules order, Party one, Runnable first, Party two, Runnable second) {
    order.play(one.steps(), first, two.steps(), second);
  }

  @Test
  @Rule(value = "HF-INT-01", marked = 15)
  default void whoJoinsWhileTheHolderReleasesIsNotForgottenInAnyOrder() {
    inEveryOrder(
        (one, two, name, order) -> {
          Held held = one.client().hold(name);
          Request joins = two.client().waitingRequest(name);

          play(order, one, () -> one.client().release(held), two, () -> two.client().grab(joins));

          Held next = two.client().holding(joins);
          assertThat(next.number()).isGreaterThan(held.number());
          two.client().release(next);
        });
  }

  @Test
  @Rule("HF-INT-02")
  default void whoGivesUpWhileTheHolderReleasesDoesNotKeepTheLockInAnyOrder() {
    inEveryOrder(
        (one, two, name, order) -> {
          Held held = one.client().hold(name);
          Request leaves = two.client().queue(name);

          play(
              order,
              one,
              () -> one.client().release(held),
              two,
              () -> two.client().release(leaves));

          assertThat(two.client().standing(leaves)).isEqualTo(new Standing.Absent());
        });
  }

  @Test
  @Rule("HF-INT-03")
  default void whoWaitsBehindOneThatGivesUpIsNotForgottenInAnyOrder() {
    SpiClient third = fixture().client();
    inEveryOrder(
        (one, two, name, order) -> {
          Held held = one.client().hold(name);
          Request leaves = two.client().queue(name);
          Request waits = third.queue(name);

          play(
              order,
              one,
              () -> one.client().release(held),
              two,
              () -> two.client().release(leaves));

          assertThat(two.client().standing(leaves)).isEqualTo(new Standing.Absent());
          third.release(third.holding(waits));
        },
        third);
  }

  @Test
  @Rule("HF-INT-04")
  default void ofTwoWhoJoinAFreeLockOneHoldsAndOneWaitsInAnyOrder() {
    inEveryOrder(
        (one, two, name, order) -> {
          Request first = one.client().waitingRequest(name);
          Request second = two.client().waitingRequest(name);

          play(order, one, () -> one.client().grab(first), two, () -> two.client().grab(second));

          boolean firstHolds = one.client().standing(first) instanceof Standing.Holding;
          Party holder = firstHolds ? one : two;
          Party waiter = firstHolds ? two : one;
          Request held = firstHolds ? first : second;
          Request waits = firstHolds ? second : first;
          waiter.client().requireWaiting(waits, 1);
          holder.client().release(holder.client().holding(held));
          waiter.client().release(waiter.client().holding(waits));
        });
  }

  @Test
  @Rule("HF-INT-05")
  default void whoJoinsWhileTheDeadIsOvertakenIsNotForgottenInAnyOrder() {
    inEveryOrder(
        (one, two, name, order) -> {
          Held dead = fixture().deadHolder(name);
          Request overtakes = one.client().request(name);
          Request joins = two.client().waitingRequest(name);

          play(
              order,
              one,
              () -> one.client().overtake(overtakes, dead.observed()),
              two,
              () -> two.client().grab(joins));
          one.client().release(overtakes);

          two.client().release(EngineSteps.overtakeUntilGranted(two.client(), joins));
        });
  }

  @Test
  @Rule("HF-INT-06")
  default void ofTwoWhoOvertakeOneIsGrantedInAnyOrder() {
    inEveryOrder(
        (one, two, name, order) -> {
          Held dead = fixture().deadHolder(name);
          Request first = one.client().request(name);
          Request second = two.client().request(name);

          play(
              order,
              one,
              () -> one.client().overtake(first, dead.observed()),
              two,
              () -> two.client().overtake(second, dead.observed()));

          boolean firstHolds = one.client().standing(first) instanceof Standing.Holding;
          Party holder = firstHolds ? one : two;
          Party other = firstHolds ? two : one;
          assertThat(other.client().standing(firstHolds ? second : first))
              .isEqualTo(new Standing.Absent());
          holder.client().release(holder.client().holding(firstHolds ? first : second));
        });
  }

  @Test
  @Rule("HF-INT-07")
  default void aLockThatIsReleasedWhileItIsRevokedPassesOnOnceInAnyOrder() {
    SpiClient third = fixture().client();
    inEveryOrder(
        (one, two, name, order) -> {
          Held held = one.client().hold(name);
          Request waits = third.queue(name);

          play(
              order,
              one,
              () -> one.client().release(held),
              two,
              () -> two.client().revoke(held.observed(), RevokeWhen.NOW));

          Held next = third.holding(waits);
          assertThat(third.holder(name).revokedAt()).isEmpty();
          third.release(next);
        },
        third);
  }

  /** Between two steps of a look, a waiter may come to hold, and its client know it. */
  @Test
  @Rule("HF-INT-08")
  default void aRequestThatHoldsAndDiesWhileAnotherLooksHasItsDelay() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    fixture().requireStays(Stays.LOCK_DELAY);
    EachStep.of(
        fixture(),
        (scene, step) -> {
          SpiClient first = fixture().client();
          Held held = first.hold(scene.name());
          SpiClient dies = fixture().client();
          Request next = dies.waitingRequest(scene.name()).lockDelay(LONG);
          dies.grab(next);
          Request waits = scene.stepped().queue(scene.name());
          Runnable handOver =
              () -> {
                first.release(held);
                dies.holding(next);
                dies.on(fixture().connect()).closeSession();
              };
          scene.at().arm(step, handOver);

          EngineSteps.removeObstacles(scene.stepped(), waits);
          boolean reached = scene.at().disarm();
          if (!reached) {
            handOver.run();
          }
          EngineSteps.removeObstacles(scene.stepped(), waits);

          assertThat(scene.stepped().holder(scene.name()).request()).isEqualTo(next.id());
          assertThat(scene.stepped().waiting(waits).obstacles()).isEmpty();
          return reached;
        });
  }
}
