package io.holdfast.benchmarks.simulation;

import io.holdfast.benchmarks.simulation.WatchCosts.News;
import io.holdfast.benchmarks.simulation.WatchCosts.Reading;
import java.util.List;

/**
 * The costs of the verbs at a store, in its own operations, as the tests of each adapter count them
 * at the server.
 *
 * @param store its name
 * @param operation the name of one operation
 * @param waking whether waiters are told when it is their turn
 * @param grab of a free lock
 * @param again of a free lock that the same client was the last to give back
 * @param join of a queue
 * @param release with or without a hand-over
 * @param renew one heartbeat
 * @param lookWaiting a look at one request that waits
 * @param lookHolding a look at one request that has been handed the lock
 * @param telling more of a hand-over, where it takes more to tell the next one
 * @param watch what a client does besides to be told
 */
public record StoreCosts(
    String store,
    String operation,
    Waking waking,
    int grab,
    int again,
    int join,
    int release,
    int renew,
    int lookWaiting,
    int lookHolding,
    int telling,
    WatchCosts watch) {

  /**
   * Of a store to which it does not matter who has given the lock back, and that tells by itself.
   */
  StoreCosts(
      String store,
      String operation,
      Waking waking,
      int grab,
      int join,
      int release,
      int renew,
      int lookWaiting,
      int lookHolding) {
    this(
        store,
        operation,
        waking,
        grab,
        grab,
        join,
        release,
        renew,
        lookWaiting,
        lookHolding,
        0,
        WatchCosts.NONE);
  }

  /** How a waiter learns that it is its turn. */
  public enum Waking {
    /** It is told, if not by the store itself then by a watch. */
    TOLD,
    /** It asks. */
    POLLING
  }

  public static final StoreCosts REDIS =
      new StoreCosts("redis", "script", Waking.TOLD, 1, 1, 1, 1, 1, 1);
  public static final StoreCosts POSTGRESQL =
      new StoreCosts("postgresql", "statement", Waking.TOLD, 1, 1, 1, 1, 1, 1);

  /** Who hands over reads whom that concerns, and wakes the new holder and the next in line. */
  public static final StoreCosts MARIADB =
      new StoreCosts(
          "mariadb",
          "statement",
          Waking.TOLD,
          1,
          1,
          1,
          1,
          1,
          2,
          1,
          3,
          new WatchCosts(News.HAND_OVERS, 1, 1, Reading.ALWAYS, 5, 1_000));

  /** Its watch asks whether the file has changed ({@code PRAGMA data_version}), and then reads. */
  public static final StoreCosts SQLITE =
      new StoreCosts(
          "sqlite",
          "statement",
          Waking.TOLD,
          1,
          1,
          1,
          1,
          1,
          2,
          1,
          0,
          new WatchCosts(News.WRITES, 1, 1, Reading.AFTER_NEWS, 1, 250));

  /** A file of this machine. Behind a server, or in memory, waiters poll. */
  public static final StoreCosts H2 =
      new StoreCosts(
          "h2",
          "statement",
          Waking.TOLD,
          1,
          1,
          1,
          1,
          1,
          2,
          1,
          0,
          new WatchCosts(News.WRITES, 0, 1, Reading.ALWAYS, 1, 1_000));

  public static final StoreCosts ETCD =
      new StoreCosts("etcd", "request", Waking.TOLD, 1, 1, 1, 1, 2, 1, 1, 1, WatchCosts.NONE);
  public static final StoreCosts ZOOKEEPER =
      new StoreCosts("zookeeper", "request", Waking.TOLD, 2, 1, 3, 1, 2, 2, 2, 2, WatchCosts.NONE);
  public static final StoreCosts MONGODB =
      new StoreCosts("mongodb", "command", Waking.POLLING, 1, 2, 1, 1, 2, 2);

  /** All whose operations are counted. */
  public static final List<StoreCosts> ALL =
      List.of(REDIS, POSTGRESQL, MARIADB, SQLITE, H2, ETCD, ZOOKEEPER, MONGODB);

  /** Returns those of the store of that name. */
  public static StoreCosts of(String store) {
    return ALL.stream().filter(costs -> costs.store().equals(store)).findFirst().orElseThrow();
  }

  /** Returns how many of them one grant that was waited for takes that change something. */
  int writesOfHandOver() {
    return join + release;
  }

  /** Returns what one uncontended acquire and release cost. */
  public int pair() {
    return grab + release;
  }

  /**
   * Returns what one grant that was waited for costs: joining, the release by the holder before,
   * and the look that finds the grant. One that is not told looks once after joining, too. What a
   * watch does is not in it.
   */
  public int handOver() {
    int lookAfterJoining = waking == Waking.TOLD ? 0 : lookWaiting;
    return join + lookAfterJoining + release + telling + lookHolding;
  }
}
