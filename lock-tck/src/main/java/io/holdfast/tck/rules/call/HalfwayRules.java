package io.holdfast.tck.rules.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.HoldfastException;
import io.holdfast.record.Holder;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EachStep;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The store may refuse any step of a verb, with an error that says of this step that it did
 * nothing. Of the verb it must not be said after an earlier step: the engine would take nothing
 * back, and the lock would be held by no thread for as long as its client lives.
 */
@Topic(
    value = "HAL",
    level = Level.PROCESSES,
    clause = "LockBackend: where a step fails after another one was done")
public interface HalfwayRules extends SpiRules {

  /** The errors with which stores refuse a step: for now, and for good. */
  private static List<RuntimeException> refusals() {
    return List.of(
        new BackendFailure(Effect.NONE, "Injected: refused for now.", null),
        new BackendUnusableException("Injected: refused for good."));
  }

  @Test
  @Rule("HF-HAL-01")
  default void anAttemptThatIsRefusedAStepDoesNotSayThatItDidNothing() {
    forEachStep(
        scene -> {
          SpiClient holder = fixture().client();
          Held held = holder.hold(scene.name());
          Request request = scene.stepped().request(scene.name());
          return new Play(request, () -> scene.stepped().grab(request), () -> holder.release(held));
        });
  }

  @Test
  @Rule("HF-HAL-02")
  default void aJoinThatIsRefusedAStepDoesNotSayThatItDidNothing() {
    forEachStep(
        scene -> {
          SpiClient holder = fixture().client();
          Held held = holder.hold(scene.name());
          Request request = scene.stepped().waitingRequest(scene.name());
          return new Play(request, () -> scene.stepped().grab(request), () -> holder.release(held));
        });
  }

  @Test
  @Rule("HF-HAL-03")
  default void anOvertakeThatIsRefusedAStepDoesNotSayThatItDidNothing() {
    forEachStep(
        scene -> {
          Held dead = fixture().deadHolder(scene.name());
          Request request = scene.stepped().request(scene.name());
          SpiClient other = fixture().client();
          Request next = other.request(scene.name());
          return new Play(
              request,
              () -> scene.stepped().overtake(request, dead.observed()),
              () -> {
                other.overtake(next, dead.observed());
                other.release(next);
              });
        });
  }

  /** A call for a request, of which a step is refused, and what frees the lock afterwards. */
  record Play(Request request, Runnable call, Runnable after) {}

  private void forEachStep(Function<EachStep.Scene, Play> plays) {
    for (RuntimeException refusal : refusals()) {
      EachStep.of(
          fixture(),
          (scene, step) -> {
            Play play = plays.apply(scene);
            boolean reached = refused(scene, step, refusal, play);
            scene.stepped().release(play.request());
            play.after().run();
            return reached;
          });
    }
  }

  private static boolean refused(
      EachStep.Scene scene, int step, RuntimeException refusal, Play play) {
    scene
        .at()
        .arm(
            step,
            () -> {
              throw refusal;
            });
    Optional<RuntimeException> failure = failureOf(play.call());
    boolean reached = scene.at().disarm();
    boolean isThere = !scene.stepped().standing(play.request()).equals(new Standing.Absent());
    assertThat(isThere && failure.filter(HalfwayRules::saysNothingWasDone).isPresent())
        .as("%s is in the queue although the call says that it did nothing", play.request())
        .isFalse();
    assertThat(shown(scene).contains(play.request().id()))
        .as("%s is shown if it is in the queue", play.request())
        .isEqualTo(isThere);
    return reached;
  }

  private static Optional<RuntimeException> failureOf(Runnable call) {
    try {
      call.run();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  private static boolean saysNothingWasDone(RuntimeException failure) {
    return failure instanceof BackendFailure known
        ? known.effect() == Effect.NONE
        : failure instanceof HoldfastException;
  }

  private static List<RequestId> shown(EachStep.Scene scene) {
    return scene.stepped().inspect(scene.name()).stream()
        .flatMap(
            record ->
                Stream.concat(
                    record.holder().map(Holder::request).stream(),
                    record.waiters().stream().map(Waiter::request)))
        .toList();
  }
}
