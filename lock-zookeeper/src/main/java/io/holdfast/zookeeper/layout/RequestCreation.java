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

  /** The creation of the node that is there, which has replaced no other. */
  public static RequestCreation of(RequestNode place, Stat stat) {
    return of(place, RequestData.Creation.of(stat));
  }

  /**
   * The creation of a node by a transaction that has also written to another.
   *
   * @param written of that other node
   */
  public static RequestCreation with(RequestNode place, Stat written) {
    return new RequestCreation(place, written.getMzxid(), Instant.ofEpochMilli(written.getMtime()));
  }

  public static RequestCreation of(RequestNode place, RequestData.Creation first) {
    return new RequestCreation(place, first.zxid(), Instant.ofEpochMilli(first.millis()));
  }
}
