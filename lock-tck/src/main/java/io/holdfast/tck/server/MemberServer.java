package io.holdfast.tck.server;

import java.nio.file.Path;

/**
 * A server that is a member of a cluster, or one by itself. Has its data and ports as every {@link
 * StoreServer} has. Used by one thread at a time.
 */
public abstract class MemberServer extends StoreServer {

  private final int port = ServerProcess.freePort();

  /** Makes it, without a process, its data in a directory that is deleted with it. */
  MemberServer(Path directory) {
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
  final String shutdownSignal() {
    return "TERM";
  }

  /** Starts it, and returns at once: it may need others before it answers. */
  abstract void startOnly();

  /** Returns when it serves clients, with a quorum of the others behind it. */
  public abstract void awaitReady();

  /** Returns whether it leads the others. */
  abstract boolean isLeader();

  @Override
  public final void start() {
    startOnly();
    awaitReady();
  }
}
