package io.holdfast.tck.rules.call;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt.Granted;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EachStep;
import io.holdfast.tck.fixture.EngineSteps;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/**
 * A client may die between any two atomic steps of a verb: no waiter is forgotten, and no client
 * holds without knowing.
 */
@Topic(
    value = "DYI",
    level = Level.PROCESSES,
    clause = "LockBackend: the client may die between any two steps")
public interface DyingRules extends SpiRules {

  /** Does the call; the client dies before its so-manieth step, and its session is ended. */
  private static boolean dying(EachStep.Scene scene, int step, Runnable call) {
    scene
        .at()
        .arm(
            step,
            () -> {
              throw new StepAction.ClientDied();
            });
    try {
      call.run();
    } catch (RuntimeException died) {
      assertThat(died).hasStackTraceContaining(StepAction.ClientDied.class.getName());
    }
    return scene.at().disarm();
  }

  @Test
  @Rule(value = "HF-DYI-01", marked = 15)
  default void aHolderMayDieWhileItReleases() {
    EachStep.of(
        fixture(),
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          SpiClient first = fixture().client();
          SpiClient second = fixture().client();
          Request waits = first.queue(scene.name());
          Request behind = second.queue(scene.name());

          boolean reached = dying(scene, step, () -> scene.stepped().release(held));
          endSession(scene);

          Held next = EngineSteps.overtakeUntilGranted(first, waits);
          assertThat(next.number()).isGreaterThan(held.number());
          first.release(next);
          second.release(second.holding(behind));
          second.requireFree(scene.name());
          return reached;
        });
  }

  @Test
  @Rule("HF-DYI-02")
  default void aReleaseThatBrokeOffIsRepeatedWithoutHarm() {
    EachStep.of(
        fixture(),
        (scene, step) -> {
          Held held = scene.stepped().hold(scene.name());
          SpiClient first = fixture().client();
          SpiClient second = fixture().client();
          Request waits = first.queue(scene.name());
          Request behind = second.queue(scene.name());

          boolean reached = dying(scene, step, () -> scene.stepped().release(held));
          scene.stepped().release(held);

          first.release(first.holding(waits));
          second.release(second.holding(behind));
          second.requireFree(scene.name());
          return reached;
        });
  }

  @Test
  @Rule("HF-DYI-03")
  default void aWaiterMayDieWhileItJoinsOrGivesUp() {
    EachStep.of(
        fixture(),
        (scene, step) -> {
          SpiClient holder = fixture().client();
          Held held = holder.hold(scene.name());
          Request gone = scene.stepped().waitingRequest(scene.name());

          boolean joining = dying(scene, step, () -> scene.stepped().grab(gone));
          SpiClient behind = fixture().client();
          Request waits = behind.queue(scene.name());
          boolean leaving = dying(scene, step, () -> scene.stepped().release(gone));
          endSession(scene);
          holder.release(held);

          behind.release(EngineSteps.overtakeUntilGranted(behind, waits));
          behind.requireFree(scene.name());
          return joining || leaving;
        });
  }

  @Test
  @Rule("HF-DYI-04")
  default void whoOvertakesMayDieMeanwhile() {
    EachStep.of(
        fixture(),
        (scene, step) -> {
          Held held = fixture().deadHolder(scene.name());
          Request overtakes = scene.stepped().request(scene.name());

          boolean reached =
              dying(scene, step, () -> scene.stepped().overtake(overtakes, held.observed()));
          endSession(scene);

          SpiClient next = fixture().client();
          Request waits = next.waitingRequest(scene.name());
          next.grab(waits);
          next.release(EngineSteps.overtakeUntilGranted(next, waits));
          next.requireFree(scene.name());
          return reached;
        });
  }

  /** The session first, then the record: so no holder is evicted that was not told. */
  @Test
  @Rule("HF-DYI-05")
  default void whoRevokesMayDieMeanwhile() {
    EachStep.of(
        fixture(),
        (scene, step) -> {
          SpiClient holder = fixture().client();
          Held held = holder.hold(scene.name());

          boolean reached =
              dying(scene, step, () -> scene.stepped().revoke(held.observed(), RevokeWhen.NOW));

          boolean touched =
              holder.isFree(scene.name()) || holder.holder(scene.name()).revokedAt().isPresent();
          if (touched) {
            assertThat(holder.toldRevoked()).containsExactly(held.request().id());
          }
          scene.stepped().revoke(held.observed(), RevokeWhen.NOW);
          holder.requireFree(scene.name());
          assertThat(holder.toldRevoked()).containsExactly(held.request().id());
          return reached;
        });
  }

  /** A revocation uses up the lock-delay of its holder, whether or not that one is alive. */
  @Test
  @Rule("HF-DYI-06")
  default void aHolderMayDieWhileItIsRevoked() {
    fixture().requireStays(Stays.LOCK_DELAY);
    EachStep.of(
        fixture(),
        (scene, step) -> {
          SpiClient holder = fixture().client();
          SpiClient elsewhere = holder.on(fixture().connect());
          Held held = holder.hold(holder.request(scene.name()).lockDelay(LONG));
          scene.at().arm(step, elsewhere::closeSession);

          scene.stepped().revoke(held.observed(), RevokeWhen.SAFELY);
          boolean reached = scene.at().disarm();

          if (!reached) {
            elsewhere.closeSession();
          }
          SpiClient next = fixture().client();
          if (!next.isFree(scene.name())) {
            Request overtakes = next.request(scene.name());
            assertThat(next.overtake(overtakes, held.observed())).isInstanceOf(Granted.class);
            next.release(overtakes);
          }
          next.requireFree(scene.name());
          return reached;
        });
  }

  /** Its request is the same, and it loses the lock as soon as it is told. */
  @Test
  @Rule("HF-DYI-07")
  default void aHolderMayDowngradeWhileItIsRevoked() {
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "This store has no shared mode.");
    EachStep.of(
        fixture(),
        (scene, step) -> {
          SpiClient holder = fixture().client();
          Held held = holder.hold(scene.name());
          scene.at().arm(step, () -> holder.downgrade(held));

          Revocation answer = scene.stepped().revoke(held.observed(), RevokeWhen.SAFELY);
          boolean reached = scene.at().disarm();

          boolean isMarked =
              !holder.isFree(scene.name()) && holder.holder(scene.name()).revokedAt().isPresent();
          if (answer instanceof Revocation.Changed) {
            assertThat(holder.toldRevoked()).as("told though the answer is Changed").isEmpty();
            assertThat(isMarked).as("marked though the answer is Changed").isFalse();
          } else {
            assertThat(answer).isInstanceOf(Revocation.Marked.class);
            assertThat(holder.toldRevoked()).containsExactly(held.request().id());
            assertThat(isMarked).as("marked as the answer says").isTrue();
          }
          holder.release(held);
          holder.requireFree(scene.name());
          return reached;
        });
  }

  private void endSession(EachStep.Scene scene) {
    scene.stepped().on(fixture().connect()).closeSession();
  }
}
