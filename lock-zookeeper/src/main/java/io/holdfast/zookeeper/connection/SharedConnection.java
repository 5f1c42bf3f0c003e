package io.holdfast.zookeeper.connection;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.ZooKeeper;

/** A client of the application's, which is never closed here, and whose session we share. */
final class SharedConnection implements Connection {

  private static final byte[] NO_PASSWORD = {};

  /** Which ZooKeeper session the client must have. */
  enum Wanted {
    /** Any. */
    ANY,
    /** Always the same: with another, ours is over. */
    THE_FIRST,
    /** One that may be another client's. */
    THAT
  }

  private final SharedConnections connections;
  private final Wanted wanted;
  private long session;

  SharedConnection(SharedConnections connections, Wanted wanted, long session) {
    this.connections = connections;
    this.wanted = wanted;
    this.session = session;
  }

  @Override
  public ZooKeeper connected(Deadline deadline) {
    ZooKeeper client = connections.client();
    long present = client.getSessionId();
    if (wanted == Wanted.ANY || present == bound(present)) {
      return client;
    }
    if (wanted == Wanted.THE_FIRST) {
      throw new SessionOverException();
    }
    throw new BackendFailure(
        Effect.NONE,
        "The session belongs to another client of %s.".formatted(connections.name()),
        null);
  }

  private synchronized long bound(long present) {
    if (session == 0) {
      if (present == 0) {
        throw new BackendFailure(
            Effect.NONE, "%s is not connected yet.".formatted(connections.name()), null);
      }
      session = present;
    }
    return session;
  }

  /** A call for no session goes on with the next client. */
  @Override
  public boolean isExpired(ZooKeeper client) {
    return wanted != Wanted.ANY;
  }

  @Override
  public boolean end(Deadline deadline) {
    return false;
  }

  @Override
  public SessionIdentity identity(ZooKeeper client) {
    return new SessionIdentity(client.getSessionId(), NO_PASSWORD);
  }

  @Override
  public Optional<ZooKeeper> ifConnected() {
    try {
      ZooKeeper client = connected(Deadline.in(Duration.ZERO));
      return Optional.of(client).filter(present -> present.getState().isConnected());
    } catch (SessionOverException | BackendFailure e) {
      return Optional.empty();
    }
  }

  @Override
  public void abandon(Runnable then) {
    then.run();
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public boolean reconnects() {
    return false;
  }

  @Override
  public boolean livesOn() {
    try {
      return connected(Deadline.in(Duration.ZERO)).getState().isAlive();
    } catch (SessionOverException | BackendFailure e) {
      return false;
    }
  }
}
