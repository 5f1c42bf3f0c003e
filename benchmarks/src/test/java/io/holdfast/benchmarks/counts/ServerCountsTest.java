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

/** Counts as a run does, and compares it with what the model of capacity calculates with. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class ServerCountsTest {

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
    }
  }

  /**
   * Without MariaDB, where those who wait are told by statements at any time. Redis is asked
   * besides whether the subscription works.
   */
  @ParameterizedTest
  @CsvSource({"redis, 4", "postgresql, 0", "etcd, 1", "zookeeper, 0", "mongodb, 0"})
  void itDoesForThoseWhoWait(String kind, int besides) {
    StoreCosts costs = StoreCosts.of(kind);
    try (CountedStore store = CountedStores.start(kind).orElseThrow()) {
      Meter meter = new Meter(store);
      WaitingQueue.count(store, meter, List.of(20));

      double join = requests(meter, "join");
      assertThat(join).isGreaterThanOrEqualTo(costs.join());
      // What a waiter does to be told it does at any time, so that not all of it is counted.
      int known = costs.join() + costs.release() + costs.lookHolding();
      assertThat(join + requests(meter, "hand-over: release, hint, look"))
          .isBetween((double) known, (double) known + costs.telling());
      // One question besides may be on its way when the counting of ten heartbeats ends.
      assertThat(requests(meter, "heartbeat of a waiter: renew, look"))
          .isCloseTo(
              costs.renew() + besides + costs.lookWaiting(), within(besides > 0 ? 0.1001 : 0.0));
    }
  }

  private static double requests(Meter meter, String operation) {
    return meter.costs().stream()
        .filter(cost -> cost.operation().equals(operation))
        .mapToDouble(cost -> cost.each().figures().get(Figure.REQUESTS))
        .sum();
  }
}
