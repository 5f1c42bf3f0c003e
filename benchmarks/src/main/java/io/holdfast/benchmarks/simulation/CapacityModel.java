package io.holdfast.benchmarks.simulation;

import io.holdfast.benchmarks.simulation.StoreCosts.Waking;
import io.holdfast.benchmarks.simulation.WatchCosts.News;

/**
 * How many operations a second a store has to do. Arithmetic only: what the verbs cost is counted
 * elsewhere, and what a store can do is measured.
 */
public final class CapacityModel {

  private static final double HEARTBEATS_PER_TTL = 3;

  /** The next in line of a store that is polled asks this often, once it has waited a little. */
  private static final double LOOKS_PER_SECOND = 20;

  /** From here on a line's waiters ask even more rarely. */
  private static final double FAST_LINE = 16;

  /** The watch of the new holder's client, and that of the next in line's. */
  private static final double WOKEN = 2;

  private CapacityModel() {}

  /**
   * Operations a second, of all partitions together.
   *
   * @param heartbeats for locks held and waited for, however many those are
   * @param pairs for locks that are free
   * @param handOvers for grants that were waited for
   * @param looks those that go with the heartbeats of waiters, and of sessions that keep locks for
   *     which others may wait
   * @param polling the looks between heartbeats, where waiters are not told; at most, since a
   *     client asks for all its requests at once. Or what watches do
   * @param partitions how many share them
   */
  public record Load(
      double heartbeats,
      double pairs,
      double handOvers,
      double looks,
      double polling,
      int partitions) {

    /** Returns the operations a second of all. */
    public double total() {
      return heartbeats + pairs + handOvers + looks + polling;
    }

    /** Returns the operations a second of one partition, if names spread evenly. */
    public double perPartition() {
      return total() / partitions;
    }
  }

  /** Returns what a workload asks of a store. */
  public static Load load(StoreCosts costs, Workload work) {
    double heartbeatsPerSecond = HEARTBEATS_PER_TTL * 1e3 / work.ttl().toMillis();
    double heartbeats = work.sessions() * heartbeatsPerSecond * costs.renew();
    double pairs = work.pairsPerSecond() * costs.pair();
    double looks =
        (work.waiters() * costs.lookWaiting() + work.keepers() * costs.lookHolding())
            * heartbeatsPerSecond;
    double polling =
        work.contendedLocks()
            * looksPerSecond(work.waitersPerLock(), heartbeatsPerSecond)
            * costs.lookWaiting();
    double writes = heartbeats + pairs + work.handOversPerSecond() * costs.writesOfHandOver();
    return new Load(
        heartbeats,
        pairs,
        work.handOversPerSecond() * costs.handOver(),
        looks,
        costs.waking() == Waking.POLLING ? polling : watching(costs.watch(), work, writes),
        work.partitions());
  }

  /** What the watches of all clients do: a client goes on to watch when its wait is over. */
  private static double watching(WatchCosts watch, Workload work, double writesPerSecond) {
    long waiters = Math.min(work.waiters(), work.listeners());
    double newsPerSecond =
        switch (watch.news()) {
          case NEVER -> 0;
          case WRITES -> writesPerSecond;
          case HAND_OVERS -> WOKEN * work.handOversPerSecond() / Math.max(1, waiters);
        };
    double othersNews = watch.news() == News.HAND_OVERS ? 0 : newsPerSecond;
    return waiters * watch.perSecond(newsPerSecond, true)
        + (work.listeners() - waiters) * watch.perSecond(othersNews, false);
  }

  /**
   * Returns how often all waiters of a line that moves look between heartbeats: the n-th in line
   * every n × 50 ms, beyond the 16th every n × √(n/16) × 50 ms, and not at all where the heartbeats
   * are more frequent.
   */
  static double looksPerSecond(int waiters, double heartbeatsPerSecond) {
    double looks = 0;
    for (int place = 1; place <= waiters; place++) {
      double each = LOOKS_PER_SECOND / (place * Math.sqrt(Math.max(1, place / FAST_LINE)));
      looks += each > heartbeatsPerSecond ? each : 0;
    }
    return looks;
  }
}
