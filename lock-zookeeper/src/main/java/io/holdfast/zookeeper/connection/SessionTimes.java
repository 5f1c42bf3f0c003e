package io.holdfast.zookeeper.connection;

import java.time.Duration;

/**
 * How the TTL of a Holdfast session follows from the timeout of its ZooKeeper session.
 *
 * <p>The leader counts the timeout from when it last heard that the session lives. A follower tells
 * it so twice per tick, in answer to the leader's pings, and not with the writes that it passes on.
 * A follower that is cut off right after a renewal was answered has told of the renewal before. So
 * a holder counts from that one, and the timeout is longer than the TTL: by the time between two
 * renewals, which is a third of the TTL and a little, and by a tick.
 *
 * @param tick the servers' tick
 */
public record SessionTimes(Duration tick) {

  /** The timeout less a tick is so many parts of the TTL: of {@link #TTL_PARTS}. */
  private static final int TIMEOUT_PARTS = 7;

  private static final int TTL_PARTS = 5;

  /** Returns which timeout to ask the servers for. */
  public Duration timeout(Duration ttl) {
    long parts = ttl.toMillis() * TIMEOUT_PARTS;
    return Duration.ofMillis((parts + TTL_PARTS - 1) / TTL_PARTS).plus(tick);
  }

  /** Returns the TTL of a session that has a ZooKeeper session of its own. */
  public Duration ttl(Duration timeout) {
    return millis(timeout.minus(tick).multipliedBy(TTL_PARTS).dividedBy(TIMEOUT_PARTS));
  }

  /**
   * Returns the TTL of a session that goes with an application's ZooKeeper session; not positive if
   * the timeout is too short for one.
   */
  public Duration sharedTtl(Duration timeout) {
    return millis(counted(timeout).minus(sharedLag(timeout)));
  }

  /**
   * Returns how long ago the leader may have heard of a session that an application has had for a
   * while. Its client sends something at least every third of the timeout.
   */
  public Duration sharedLag(Duration timeout) {
    return timeout.dividedBy(3).plus(tick);
  }

  /** Returns for how long a holder may go on since the leader heard of its session. */
  public Duration counted(Duration timeout) {
    return timeout.minus(tick);
  }

  /** Returns the longest timeout that a session of this TTL may have. */
  public Duration longestTimeout(Duration ttl) {
    return ttl.plus(tick.multipliedBy(2)).multipliedBy(3).dividedBy(2);
  }

  private static Duration millis(Duration time) {
    return Duration.ofMillis(time.toMillis());
  }
}
