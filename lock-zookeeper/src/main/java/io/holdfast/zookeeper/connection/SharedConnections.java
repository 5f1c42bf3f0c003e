package io.holdfast.zookeeper.connection;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.zookeeper.connection.SharedConnection.Wanted;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.zookeeper.ZooKeeper;

/** Connections over a client of the application's, which has one session for all. */
public final class SharedConnections implements Connections {

  private final Callable<ZooKeeper> client;
  private final Supplier<String> chroot;
  private final String name;
  private volatile boolean closed;

  /** Takes a client without a chroot, or one that is not used for sessions. */
  public SharedConnections(Callable<ZooKeeper> client, String name) {
    this(client, () -> "", name);
  }

  /**
   * Takes what returns the client at present: an application may replace it.
   *
   * @param chroot returns the chroot of that client, which does not tell it itself; empty if it has
   *     none
   * @param name how it is called in messages
   */
  public SharedConnections(Callable<ZooKeeper> client, Supplier<String> chroot, String name) {
    this.client = client;
    this.chroot = chroot;
    this.name = name;
  }

  String name() {
    return name;
  }

  ZooKeeper client() {
    try {
      return client.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(e);
    } catch (Exception e) {
      throw failure(e);
    }
  }

  private BackendFailure failure(Exception cause) {
    return new BackendFailure(
        Effect.NONE, "%s has no connection: %s".formatted(name, cause), cause);
  }

  @Override
  public Connection forNoSession() {
    return new SharedConnection(this, Wanted.ANY, 0);
  }

  @Override
  public Connection forNewSession(Duration timeout) {
    return new SharedConnection(this, Wanted.THE_FIRST, 0);
  }

  @Override
  public Connection ofSession(SessionIdentity identity, Duration timeout) {
    return new SharedConnection(this, Wanted.THAT, identity.session());
  }

  @Override
  public String chroot() {
    return chroot.get();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
