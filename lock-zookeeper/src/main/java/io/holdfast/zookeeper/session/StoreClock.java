package io.holdfast.zookeeper.session;

import io.holdfast.zookeeper.layout.Moment;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * The time of the store, as far as answers tell: ZooKeeper has no clock to ask, but the leader's
 * clock is in every write. The latest write seen is the present; so time passes late, but never
 * early. Times of two leaders are never compared.
 */
public final class StoreClock {

  private long zxid = -1;
  private Moment present = new Moment(-1, 0);

  /** Takes note of a write. */
  public void see(Stat stat) {
    if (stat.getMzxid() > zxid) {
      zxid = stat.getMzxid();
      present = Moment.ofWrite(stat);
    }
  }

  /**
   * Returns how long ago something was; empty if that cannot be told: by another leader, or in the
   * present one's future.
   */
  public Optional<Duration> since(Moment then) {
    long passed = present.millis() - then.millis();
    return present.term() == then.term() && passed >= 0
        ? Optional.of(Duration.ofMillis(passed))
        : Optional.empty();
  }
}
