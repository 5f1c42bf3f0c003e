package io.holdfast.zookeeper.connection;

import io.holdfast.spi.Deadline;
import java.util.Optional;
import org.apache.zookeeper.ZooKeeper;

/**
 * A connection of one ZooKeeper session to the servers. It may be replaced by another connection of
 * the same session. Thread-safe.
 */
public interface Connection {

  /**
   * Returns a connected client of the session.
   *
   * @throws SessionOverException if the session is over
   * @throws io.holdfast.spi.BackendFailure without effect, if no server can be reached in time
   */
  ZooKeeper connected(Deadline deadline);

  /**
   * Returns whether the expiry that this client reports is the end of the session that the calls
   * belong to. A client that lost its connection reports the same, and calls without a session go
   * on in another one.
   */
  boolean isExpired(ZooKeeper client);

  /**
   * Ends the ZooKeeper session and removes all of its nodes, if only one Holdfast session uses it;
   * otherwise does nothing.
   *
   * @return whether the ZooKeeper session was ended
   * @throws SessionOverException if the session was already over
   */
  boolean end(Deadline deadline);

  /** Returns the identity with which another client can resume this client's session. */
  SessionIdentity identity(ZooKeeper client);

  /** Returns the client, if it is connected now. */
  Optional<ZooKeeper> ifConnected();

  /**
   * Ends the ZooKeeper session like {@link #end}, but does not wait; runs the callback afterwards.
   */
  void abandon(Runnable then);

  /** Returns whether the ZooKeeper session stays alive when this library no longer uses it. */
  boolean livesOn();

  /** Returns whether the ZooKeeper session is an application's, which has begun it before. */
  boolean isShared();

  /** Returns whether a lost connection is replaced at once. */
  boolean reconnects();

  /** Calls were answered. */
  default void answered() {}

  /** A call was not answered in the time that it had, in nanoseconds. */
  default void silent(ZooKeeper client, long timeNanos) {}

  /** The client has lost its connection, or another one has the session. */
  default void lost(ZooKeeper client) {}

  /** Breaks the connection; the session stays alive until its timeout. */
  default void disconnect() {}
}
