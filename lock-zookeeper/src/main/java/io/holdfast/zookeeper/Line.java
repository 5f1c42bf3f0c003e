package io.holdfast.zookeeper;

import io.holdfast.spi.Deadline;
import java.util.Optional;
import org.apache.zookeeper.ZooKeeper;

/** The way to the servers in the name of one ZooKeeper session. Thread-safe. */
interface Line {

  /**
   * Returns a connected client of the session.
   *
   * @throws SessionGone if the session is over
   * @throws io.holdfast.spi.BackendFailure without effect, if no server can be reached in time
   */
  ZooKeeper connected(Deadline deadline);

  /** Returns whether a client that is told that its session is over is told the truth. */
  boolean isExpired(ZooKeeper client);

  /**
   * Ends the ZooKeeper session, and with it all of its nodes, if it is there for one Holdfast
   * session alone; else does nothing.
   *
   * @return whether it was
   * @throws SessionGone if it was over before
   */
  boolean end(Deadline deadline);

  /** Returns by what others may go on with the session of a client. */
  Handle.Identity identity(ZooKeeper client);

  /** Returns a client that is connected at present, if there is one. */
  Optional<ZooKeeper> ifConnected();

  /** Ends the ZooKeeper session like {@link #end}, waiting for nothing, and tells when it has. */
  void abandon(Runnable then);

  /** Returns whether the session is kept alive also when nobody here uses it any more. */
  boolean livesOn();

  /** Returns whether there is another connection at once when one is lost. */
  boolean reconnects();

  /** Calls were answered. */
  default void answered() {}

  /** A call was not answered in the time that it had, in nanoseconds. */
  default void silent(ZooKeeper client, long timeNanos) {}

  /** The client has lost its connection, or another one has the session. */
  default void lost(ZooKeeper client) {}

  /** Lets go of the connection; the session goes on without it. */
  default void leave() {}
}
