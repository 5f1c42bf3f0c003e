package io.holdfast.tck.rules.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EachStep;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.PassingDeadline;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Every call heeds its deadline, and one that fails says whether it may have been done: a client
 * that is told that it was not takes nothing back, and the lock would be held by no thread while
 * its client lives.
 */
@Topic(
    value = "DLN",
    level = Level.CORE,
    clause = "LockBackend: returns or throws within its deadline; BackendFailure.Effect")
public interface DeadlineRules extends SpiRules {

  /** More often than any verb asks how much time is left. */
  int ASKED_MAX = 100;

  int INTERRUPTED = 5;

  @Test
  @Rule("HF-DLN-01")
  default void aCallWhoseDeadlineHasPassedFails() {
    SpiClient client = fixture().client();
    Held held = client.hold(LOCK);

    verbs(client, held)
        .forEach(
            (verb, call) ->
                assertThatThrownBy(() -> call.accept(Deadline.in(Duration.ZERO)))
                    .as("%s, whose deadline had passed", verb)
                    .isInstanceOf(BackendFailure.class));
  }

  /** But not a sweep: where there is never anything to sweep, it asks no store. */
  private static Map<String, Consumer<Deadline>> verbs(SpiClient client, Held held) {
    LockBackend backend = client.backend();
    Map<String, Consumer<Deadline>> verbs = new LinkedHashMap<>();
    verbs.put("open", until -> backend.open(StoreFixture.spec(), until));
    verbs.put("renew", until -> backend.renew(client.session(), until));
    verbs.put("end", until -> backend.end(client.session(), EndIf.LAPSED, until));
    verbs.put("grab", until -> backend.grab(client.waitingRequest(LOCK), until));
    verbs.put("overtake", until -> backend.overtake(client.request(LOCK), held.observed(), until));
    verbs.put(
        "look", until -> backend.look(client.session(), List.of(held.request().key()), until));
    verbs.put("acknowledge", until -> backend.acknowledge(held.request().id(), until));
    verbs.put("inspect", until -> backend.inspect(LOCK, until));
    verbs.put("list", until -> backend.list("", Optional.empty(), 1, until));
    verbs.put("revoke", until -> backend.revoke(held.observed(), RevokeWhen.SAFELY, until));
    verbs.put("release", until -> backend.release(LOCK, held.request().id(), until));
    if (backend instanceof ResumableSessions sessions) {
      verbs.put("resume", until -> sessions.resume(client.session(), until));
    }
    return verbs;
  }

  /** It passes before the first time that the call asks for it, before the second, and so on. */
  @Test
  @Rule("HF-DLN-02")
  default void wheneverTheDeadlinePassesWhatSaysThatItDidNothingDidNothing() {
    SpiClient client = fixture().client();

    for (int times = 1; times <= ASKED_MAX; times++) {
      Request request = client.waitingRequest(new LockName("deadline/" + times));
      PassingDeadline passing = PassingDeadline.whenAsked(times);
      Deadline deadline = passing.deadline();
      Optional<BackendFailure> failure = failureOf(() -> client.backend().grab(request, deadline));
      requireTruth(client, request, failure);
      if (!passing.wasSeen()) {
        assertThat(times).as("times that a grab asks for its deadline, and one").isGreaterThan(1);
        return;
      }
    }
  }

  @Test
  @Rule("HF-DLN-03")
  default void anInterruptedCallThatSaysThatItDidNothingDidNothing() {
    SpiClient client = fixture().client();

    for (int i = 0; i < INTERRUPTED; i++) {
      Request request = client.waitingRequest(new LockName("interrupted/" + i));
      Thread.currentThread().interrupt();
      Optional<BackendFailure> failure;
      try {
        failure = failureOf(() -> client.grab(request));
      } finally {
        // The flag may be set or not; it must not reach the next call of this test.
        Thread.interrupted();
      }
      requireTruth(client, request, failure);
    }
  }

  /** Each step by itself would be in time if it were given as long as the verb. */
  @Test
  @Rule(value = "HF-DLN-04", level = Level.PROCESSES)
  default void aVerbGoesNoFurtherWhenItsDeadlineHasPassed() {
    EachStep.of(
        fixture(),
        (scene, step) -> {
          SpiClient holder = fixture().client();
          Held held = holder.hold(scene.name());
          Request request = scene.stepped().waitingRequest(scene.name());
          PassingDeadline passing = PassingDeadline.whenTold();
          Deadline deadline = passing.deadline();
          scene.at().arm(step, passing::pass);

          Optional<BackendFailure> failure =
              failureOf(() -> scene.stepped().backend().grab(request, deadline));

          boolean reached = scene.at().disarm();
          assertThat(failure.isEmpty() && scene.at().stepsSince() > 0)
              .as("a join that goes on after its deadline has passed before step %s", step)
              .isFalse();
          requireTruth(scene.stepped(), request, failure);
          scene.stepped().release(request);
          holder.release(held);
          return reached;
        });
  }

  private static Optional<BackendFailure> failureOf(Runnable call) {
    try {
      call.run();
      return Optional.empty();
    } catch (BackendFailure e) {
      return Optional.of(e);
    }
  }

  private static void requireTruth(
      SpiClient client, Request request, Optional<BackendFailure> failure) {
    if (failure.filter(known -> known.effect() == Effect.NONE).isPresent()) {
      client.renewed();
      assertThat(client.standing(request))
          .as("%s, of which a grab says that it did nothing", request)
          .isEqualTo(new Standing.Absent());
    }
  }
}
