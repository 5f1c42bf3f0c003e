package io.holdfast.zookeeper.connection;

import java.time.Duration;

/**
 * Connections that this library makes itself: one for each session, and one for calls without a
 * session.
 */
public final class OwnConnections implements Connections {

  /** The timeout of the ZooKeeper session for calls that belong to no Holdfast session. */
  private static final Duration TIMEOUT_WITHOUT_SESSION = Duration.ofSeconds(10);

  private final Connector connector;
  private final OwnConnection forNoSession;
  private volatile boolean closed;

  public OwnConnections(Connector connector) {
    this.connector = connector;
    this.forNoSession = OwnConnection.forNoSession(connector, TIMEOUT_WITHOUT_SESSION);
  }

  @Override
  public Connection forNoSession() {
    return forNoSession;
  }

  @Override
  public Connection forNewSession(Duration timeout) {
    return OwnConnection.forNewSession(connector, timeout);
  }

  @Override
  public Connection ofSession(SessionIdentity identity, Duration timeout) {
    return OwnConnection.ofSession(connector, timeout, identity);
  }

  /** The path of a URI is part of all paths here. */
  @Override
  public String chroot() {
    return "";
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    forNoSession.disconnect();
  }
}
