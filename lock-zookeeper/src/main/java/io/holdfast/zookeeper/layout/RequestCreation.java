package io.holdfast.zookeeper.layout;

import java.time.Instant;
import org.apache.zookeeper.data.Stat;

/**
 * A request's node together with its creation.
 *
 * @param zxid the transaction that created it: what the number of its grant is made of
 * @param since when that was, by the leader's clock
 */
public record RequestCreation(RequestNode place, long zxid, Instant since) {

  public static RequestCreation of(RequestNode place, Stat stat) {
    return new RequestCreation(place, stat.getCzxid(), since(stat));
  }

  /** Returns since when a request is there, by the leader's clock. */
  public static Instant since(Stat stat) {
    return Instant.ofEpochMilli(stat.getCtime());
  }
}
