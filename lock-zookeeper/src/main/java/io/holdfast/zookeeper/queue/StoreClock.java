package io.holdfast.zookeeper.queue;

import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * The time of the store, as far as answers tell: ZooKeeper has no clock to ask, but the leader's
 * clock is in every write. The latest write seen is the present; so time passes late, but never
 * early. The first half of a transaction's number is the leader's term: times of two leaders are
 * never compared.
 */
final class StoreClock {

  private static final int TERM_SHIFT = 32;

  private long zxid = -1;
  private long millis;

  /** Takes note of a write. */
  void see(Stat stat) {
    if (stat.getMzxid() > zxid) {
      zxid = stat.getMzxid();
      millis = stat.getMtime();
    }
  }

  /**
   * Returns how long ago a node was written; empty if that cannot be told: by another leader, or in
   * the present one's future.
   */
  Optional<Duration> since(Stat stat) {
    see(stat);
    long passed = millis - stat.getMtime();
    boolean sameTerm = zxid >>> TERM_SHIFT == stat.getMzxid() >>> TERM_SHIFT;
    return sameTerm && passed >= 0 ? Optional.of(Duration.ofMillis(passed)) : Optional.empty();
  }
}
