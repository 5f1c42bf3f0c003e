package io.holdfast.tck.server;

import java.nio.file.Path;

/**
 * A server that is a member of a cluster, or runs alone. Has its data and ports like every {@link
 * StoreServer}. Used by one thread at a time.
 */
public abstract class MemberServer extends StoreServer {

  private final int port = ServerProcess.freePort();

  /** Makes a server that does not run yet. Its directory is deleted with it. */
  protected MemberServer(Path directory) {
    super(directory);
  }

  /** Returns the port for clients. */
  public final int port() {
    return port;
  }

  /** Returns its address for clients, as {@code HOST:PORT}. */
  public final String address() {
    return "127.0.0.1:" + port;
  }

  @Override
  protected final String shutdownSignal() {
    return "TERM";
  }

  /** Starts it, and returns at once: it may need other members before it answers. */
  protected abstract void startOnly();

  /** Returns when it serves clients, which takes a quorum of the members. */
  public abstract void awaitReady();

  /** Returns whether it leads the others. */
  protected abstract boolean isLeader();

  @Override
  public final void start() {
    startOnly();
    awaitReady();
  }
}
