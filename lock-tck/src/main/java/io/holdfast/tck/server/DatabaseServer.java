package io.holdfast.tck.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A database server with data of its own, on a port of 127.0.0.1 which it keeps over restarts. Used
 * by one thread at a time.
 */
public abstract class DatabaseServer implements AutoCloseable {

  private final PlainUser user;
  private final Path directory;
  private final int port;
  private final Map<String, String> environment;
  private @Nullable ServerProcess process;

  DatabaseServer(PlainUser user, String kind, int port, Map<String, String> environment) {
    this.user = user;
    this.directory = user.makeDirectory("holdfast-" + kind + "-");
    this.port = port;
    this.environment = environment;
  }

  /** Returns what starts it with the data that is there. */
  abstract List<String> command();

  /** Returns whether it answers. */
  abstract boolean isReady();

  /** Returns the signal upon which it shuts down without waiting for clients, losing nothing. */
  abstract String shutdownSignal();

  /** Makes its data that of a server which was never started. */
  abstract void makeData();

  final Path directory() {
    return directory;
  }

  final Path data() {
    return directory.resolve("data");
  }

  /** Starts it for the first time. */
  final void startFirst(Runnable makeData) {
    try {
      makeData.run();
      start();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Starts it with the data that is there, and returns when it answers. */
  public void start() {
    ServerProcess started =
        ServerProcess.start(user.command(command()), directory.resolve("server.log"), environment);
    process = started;
    started.awaitReady(this::isReady);
  }

  /** Shuts it down in an orderly way, and returns when it is gone. */
  public void stop() {
    running().end(shutdownSignal());
    running().close();
  }

  /** Shuts it down in an orderly way and starts it with its data. */
  public void restart() {
    stop();
    start();
  }

  /** Kills it with SIGKILL and starts it without its data. */
  public void restartEmpty() {
    kill();
    Tools.delete(data());
    makeData();
    start();
  }

  /** Kills it with SIGKILL, and returns when it is gone. */
  public void kill() {
    running().close();
  }

  /** Stops all of its processes with SIGSTOP. */
  public void pause() {
    running().pause();
  }

  /** Lets them run again with SIGCONT. */
  public void resume() {
    running().resume();
  }

  private ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException("The server was not started.");
    }
    return process;
  }

  /** Returns the port on which it listens. */
  public int port() {
    return port;
  }

  /** Returns the URI of its database, to which parameters may be appended with an ampersand. */
  public abstract String uri();

  /** Returns what it has printed. */
  public String printed() {
    return running().printed();
  }

  /** Kills it and deletes its data. */
  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
    Tools.delete(directory);
  }
}
