package io.holdfast.zookeeper.connection;

import java.time.Duration;

/** Makes connections to one ensemble. Thread-safe. */
public interface Connections extends AutoCloseable {

  /** Returns the connection for calls that belong to no Holdfast session. */
  Connection forNoSession();

  /**
   * Returns a connection for a new session.
   *
   * @param timeout the session timeout to ask the servers for; ignored for an application's client
   */
  Connection forNewSession(Duration timeout);

  /** Returns a connection for a session that another client opened. */
  Connection ofSession(SessionIdentity identity, Duration timeout);

  /**
   * Returns the path below which the servers see all paths of the clients; empty if there is none.
   */
  String chroot();

  boolean isClosed();

  /** Closes the connection that belongs to no session. Sessions close their own. */
  @Override
  void close();
}
