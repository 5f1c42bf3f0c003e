package io.holdfast.tck.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Capabilities;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryEvent.Granted;
import io.holdfast.tck.process.actor.ActorCommand;
import io.holdfast.tck.process.actor.ActorHandle;
import io.holdfast.tck.process.actor.ChildActor;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Soak;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The effects that many clients may see of a store that they use at once, in one JVM and in
 * several.
 */
@Topic(value = "CON", level = Level.PROCESSES, clause = "docs/guarantees.md, At most one holder")
public interface ConcurrencyRules extends ProcessRules {

  /** Threads of several clients, some of them interrupted, some clients closed under them. */
  @Test
  @Rule("HF-CON-01")
  default void clientsOfOneProcessNeverHoldTogether() throws Exception {
    History history =
        RecordedRun.perform(
            processSubject(),
            run -> run.steady("here").work(run.work(3, 3, run.ttl(), 0)).awaitWorked(run.ttl()));

    // Every worker ends with a request for each lock that waits until it is served.
    assertThat(history.events(Granted.class).count()).isGreaterThanOrEqualTo(3 * 3);
  }

  /** The same in three child JVMs. */
  @Test
  @Rule("HF-CON-02")
  default void clientsOfSeveralProcessesNeverHoldTogether() throws Exception {
    assertThat(processesThatHeld(workInChildren(1)))
        .containsExactlyInAnyOrder("child1", "child2", "child3");
  }

  /** The same for a minute, if the TTL is a second. */
  @Test
  @Rule("HF-CON-03")
  @Soak
  default void clientsOfSeveralProcessesNeverHoldTogetherForLong() throws Exception {
    assertThat(processesThatHeld(workInChildren(60)))
        .containsExactlyInAnyOrder("child1", "child2", "child3");
  }

  /** Its locks are free when the client is closed, not only when its lease is over. */
  @Test
  @Rule("HF-CON-04")
  default void aClientThatIsClosedWhileItHoldsOrWaitsLeavesNothing() throws Exception {
    RecordedRun.perform(
        processSubject(),
        run -> {
          // given
          ActorHandle here = run.steady("here");
          ActorCommand holder = here.hold(run.lock());
          holder.awaitHolding();
          ActorCommand waiter = here.hold(run.lock());
          run.awaitQueued(waiter);

          // when
          waiter.closeClient();
          holder.closeClient();

          // then
          waiter.awaitGone();
          holder.awaitLost();
        });
  }

  /** Five clients of one JVM queue up one after the other. */
  @Test
  @Rule("HF-CON-05")
  default void clientsOfOneProcessAreServedInTheOrderInWhichTheyQueued() throws Exception {
    ProcessSubject subject = requireFifo(processSubject());

    RecordedRun.perform(
        subject,
        run -> {
          ActorHandle here = run.steady("here");
          queueAndServe(run, List.of(here, here, here, here, here));
        });
  }

  /** Clients of two child JVMs and of this one queue up in turn. */
  @Test
  @Rule("HF-CON-06")
  default void clientsOfSeveralProcessesAreServedInTheOrderInWhichTheyQueued() throws Exception {
    ProcessSubject subject =
        new SubjectWithTtl(requireFifo(processSubject()), RecordedRun.STEADY_TTL);

    RecordedRun.perform(
        subject,
        run -> {
          List<ChildActor> children = run.children(2);
          ActorHandle here = run.here("here");
          queueAndServe(
              run,
              List.of(
                  here, children.get(0), children.get(1), here, children.get(1), children.get(0)));
        });
  }

  private History workInChildren(int ttls) throws Exception {
    ProcessSubject subject = processSubject();
    Duration duration = subject.ttl().multipliedBy(ttls);
    // Nothing happens to the children, so that no session of theirs ends.
    return RecordedRun.perform(
        new SubjectWithTtl(subject, RecordedRun.STEADY_TTL),
        run -> {
          List<ActorCommand> commands = new ArrayList<>();
          for (ChildActor child : run.children(3)) {
            commands.add(child.work(run.work(2, 2, duration, commands.size())));
          }
          commands.forEach(command -> command.awaitWorked(duration));
        });
  }

  /** The first holds while the others queue; then each gives the lock back when it has it. */
  private static void queueAndServe(RecordedRun run, List<ActorHandle> actors) {
    List<ActorCommand> waiting = new ArrayList<>();
    for (ActorHandle actor : actors) {
      ActorCommand command = actor.hold(run.lock());
      if (waiting.isEmpty()) {
        command.awaitHolding();
      } else {
        run.awaitQueued(command);
      }
      waiting.add(command);
    }
    while (!waiting.isEmpty()) {
      ActorCommand served = ActorCommand.awaitAnyHolding(waiting);
      served.awaitWrote();
      served.release();
      waiting.remove(served);
    }
  }

  private static ProcessSubject requireFifo(ProcessSubject subject) {
    NotApplicableException.unless(
        subject.order() == Capabilities.Order.FIFO, "This store claims no order.");
    return subject;
  }

  private static Set<String> processesThatHeld(History history) {
    return history
        .events(Granted.class)
        .map(granted -> granted.request().client().process())
        .collect(Collectors.toSet());
  }
}
