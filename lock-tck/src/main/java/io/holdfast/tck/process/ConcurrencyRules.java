package io.holdfast.tck.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Capabilities;
import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryEvent.Granted;
import io.holdfast.tck.report.Level;
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

/** What many clients may see of a store that they use at once, in one JVM and in several. */
@Topic(value = "CON", level = Level.PROCESSES, clause = "docs/guarantees.md, At most one holder")
public interface ConcurrencyRules extends ProcessRules {

  /** Threads of several clients, some of them interrupted, some clients closed under them. */
  @Test
  @Rule("HF-CON-01")
  default void clientsOfOneProcessNeverHoldTogether() throws Exception {
    History history =
        Trial.run(
            processSubject(),
            trial ->
                trial.here("here").work(trial.work(3, 3, trial.ttl(), 0)).awaitWorked(trial.ttl()));

    // Every worker goes on until it has held.
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

  /** What was held is free when the client is closed, not only when its lease is over. */
  @Test
  @Rule("HF-CON-04")
  default void aClientThatIsClosedWhileItHoldsOrWaitsLeavesNothing() throws Exception {
    Trial.run(
        processSubject(),
        trial -> {
          // given
          Peer here = trial.steady("here");
          Ask holder = here.ask(trial.lock());
          holder.awaitHolding();
          Ask waiter = here.ask(trial.lock());
          trial.awaitQueued(waiter);

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

    Trial.run(
        subject,
        trial -> {
          Peer here = trial.steady("here");
          queueAndServe(trial, List.of(here, here, here, here, here));
        });
  }

  /** Clients of two child JVMs and of this one queue up in turn. */
  @Test
  @Rule("HF-CON-06")
  default void clientsOfSeveralProcessesAreServedInTheOrderInWhichTheyQueued() throws Exception {
    ProcessSubject subject = new OtherTtl(requireFifo(processSubject()), Trial.STEADY_TTL);

    Trial.run(
        subject,
        trial -> {
          List<ChildPeer> children = trial.children(2);
          Peer here = trial.here("here");
          queueAndServe(
              trial,
              List.of(
                  here, children.get(0), children.get(1), here, children.get(1), children.get(0)));
        });
  }

  private History workInChildren(int ttls) throws Exception {
    return Trial.run(
        processSubject(),
        trial -> {
          Duration duration = trial.ttl().multipliedBy(ttls);
          List<Ask> asked = new ArrayList<>();
          for (ChildPeer child : trial.children(3)) {
            asked.add(child.work(trial.work(2, 2, duration, asked.size())));
          }
          asked.forEach(ask -> ask.awaitWorked(duration));
        });
  }

  /** The first holds while the others queue; then each gives the lock back when it has it. */
  private static void queueAndServe(Trial trial, List<Peer> peers) {
    List<Ask> waiting = new ArrayList<>();
    for (Peer peer : peers) {
      Ask ask = peer.ask(trial.lock());
      if (waiting.isEmpty()) {
        ask.awaitHolding();
      } else {
        trial.awaitQueued(ask);
      }
      waiting.add(ask);
    }
    while (!waiting.isEmpty()) {
      Ask served = Ask.awaitAnyHolding(waiting);
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
