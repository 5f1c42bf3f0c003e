package io.holdfast.tck.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.spi.BackendOptions;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryEvent.Granted;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.process.actor.ActorCommand;
import io.holdfast.tck.process.actor.ActorHandle;
import io.holdfast.tck.process.actor.ChildActor;
import io.holdfast.tck.process.actor.Disturbance;
import io.holdfast.tck.process.actor.WorkloadSpec;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Soak;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.NetworkControl;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random work while the network between some of the clients and the store fails at random. */
@Topic(value = "FNW", level = Level.NETWORK, clause = "docs/guarantees.md, At most one holder")
public interface FaultyNetworkRules extends ProcessRules, SpiRules {

  /** Two processes behind the network, and one that it does not concern. */
  @Test
  @Rule("HF-FNW-01")
  default void whateverTheNetworkDoesNobodyHoldsTogetherAndNobodyIsStranded() throws Exception {
    workBehindAFaultyNetwork(4);
  }

  /** The same for a minute, if the TTL is a second. */
  @Test
  @Rule("HF-FNW-02")
  @Soak
  default void whateverTheNetworkDoesNobodyHoldsTogetherAndNobodyIsStrandedForLong()
      throws Exception {
    workBehindAFaultyNetwork(60);
  }

  private void workBehindAFaultyNetwork(int ttls) throws Exception {
    NetworkControl control = fixture().control(NetworkControl.class);
    ProcessSubject subject = processSubject();
    NetworkProxy network =
        fixture().closedWithThis(NetworkProxy.to(control.serverPort(), control::framing));
    try (LockClient probe = Holdfast.connect(control.uri(network.port()))) {
      assertThat(network.connections()).as("connections of %s", probe.health()).isPositive();
    }

    History history =
        RecordedRun.perform(
            subject,
            run -> {
              Duration faulty = run.ttl().multipliedBy(ttls);
              Duration all = faulty.plus(run.ttl());
              ActorHandle behind =
                  run.here(
                      "behind",
                      settings ->
                          settings
                              .builder()
                              .connect(control.connect(network.port(), BackendOptions.DEFAULTS)));
              ChildActor child = run.child("child", control.uri(network.port()));
              List<ActorCommand> commands =
                  List.of(
                      run.here("here").work(work(run, all, 1)),
                      behind.work(work(run, all, 2)),
                      child.work(work(run, all, 3)));
              commands.forEach(ActorCommand::awaitBegun);

              new RandomNetworkFaults(network, run.random(), run.ttl()).runFor(faulty);

              commands.forEach(command -> command.awaitWorked(all));
            });

    assertThat(history.events(Granted.class).map(granted -> granted.request().client().process()))
        .contains("here", "behind", "child");
  }

  private static WorkloadSpec work(RecordedRun run, Duration duration, int which) {
    return run.work(2, 2, duration, which, Disturbance.NONE);
  }
}
