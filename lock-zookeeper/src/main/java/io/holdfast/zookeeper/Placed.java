package io.holdfast.zookeeper;

import java.time.Instant;
import org.apache.zookeeper.data.Stat;

/**
 * A place whose creation is known.
 *
 * @param zxid the transaction that created it: what the number of its grant is made of
 * @param since when that was, by the leader's clock
 */
record Placed(Place place, long zxid, Instant since) {

  static Placed of(Place place, Stat stat) {
    return new Placed(place, stat.getCzxid(), Head.since(stat));
  }
}
