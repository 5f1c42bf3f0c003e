package io.holdfast.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.benchmarks.simulation.StoreCosts;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Counts as a run does, and compares it with what the model of capacity calculates with. What is
 * done by watches is compared in {@link WatchCountsTest}.
 */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class ServerCountsTest {

  private static final double ONE_QUESTION_MORE = 0.1001;

  /**
   * Compares the requests of each verb.
   *
   * @param besides what goes with a renewal: of Redis the small commands before it, of etcd the
   *     copy of a keep-alive by which jetcd ends its stream
   */
  @ParameterizedTest
  @CsvSource({"redis, 3", "postgresql, 0", "mariadb, 0", "etcd, 1", "zookeeper, 0", "mongodb, 0"})
  void theModelCalculatesWithWhatAServerIsAskedFor(String kind, int besides) {
    StoreCosts costs = StoreCosts.of(kind);
    try (CountedStore store = CountedStores.start(kind).orElseThrow()) {
      Meter meter = new Meter(store);
      HeldLocks.count(store, meter, List.of(1));

      assertThat(requests(meter, "grab")).isEqualTo(costs.again());
      assertThat(requests(meter, "release")).isEqualTo(costs.release());
      assertThat(requests(meter, "pair of a client")).isEqualTo(costs.again() + costs.release());
      assertThat(requests(meter, "heartbeat")).isEqualTo(costs.renew() + besides);
      assertThat(ModelCounts.pairByTurns(store)).isEqualTo(costs.pair());
    }
  }

  /**
   * Compares what those do who wait and listen.
   *
   * @param besides what goes with a renewal: of Redis also the question whether the subscription
   *     works
   * @param omitted of that, while an earlier question has no answer yet
   */
  @ParameterizedTest
  @CsvSource({"redis, 4, 1", "postgresql, 0, 0", "etcd, 1, 0", "zookeeper, 0, 0", "mongodb, 0, 0"})
  void itDoesForThoseWhoWait(String kind, int besides, int omitted) {
    StoreCosts costs = StoreCosts.of(kind);
    try (CountedStore store = CountedStores.start(kind).orElseThrow()) {
      Meter meter = new Meter(store);
      WaitingQueue.count(store, meter, List.of(2, 20));

      double heartbeat = (double) costs.renew() + besides + costs.lookWaiting();
      // One question besides may be on its way when the counting of ten heartbeats ends.
      double atEdge = besides > 0 ? ONE_QUESTION_MORE : 0;
      for (String state : List.of("2 waiting", "20 waiting")) {
        double join = requests(meter, "join", state);
        assertThat(join).isGreaterThanOrEqualTo(costs.join());
        // What a waiter does to be told it does a little later, maybe when another has its turn.
        assertThat(join + requests(meter, "hand-over: release, hint, look", state))
            .isCloseTo(
                costs.join() + costs.release() + costs.lookHolding() + costs.telling(),
                within(2 * ONE_QUESTION_MORE));
        assertThat(requests(meter, "heartbeat of a waiter: renew, look", state))
            .isBetween(heartbeat - omitted - atEdge, heartbeat + atEdge);
      }
    }
  }

  private static double requests(Meter meter, String operation) {
    return meter.costs().stream()
        .filter(cost -> cost.operation().equals(operation))
        .mapToDouble(cost -> ModelCounts.asked(cost.each()))
        .sum();
  }

  private static double requests(Meter meter, String operation, String state) {
    return meter.costs().stream()
        .filter(cost -> cost.operation().equals(operation) && cost.state().equals(state))
        .mapToDouble(cost -> ModelCounts.asked(cost.each()))
        .sum();
  }
}
