package io.holdfast.tck.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server with data of its own, in a directory of its own, and with ports of 127.0.0.1 which it
 * keeps over restarts. Used by one thread at a time.
 */
public abstract class StoreServer implements AutoCloseable {

  private final Path directory;
  private @Nullable ServerProcess process;

  /**
   * Makes it, without a process.
   *
   * @param directory is deleted with it
   */
  StoreServer(Path directory) {
    this.directory = directory;
  }

  /** Returns the signal upon which it shuts down without waiting for clients, losing nothing. */
  abstract String shutdownSignal();

  /** Makes its data that of a server which was never started, where it does not do so itself. */
  void makeData() {}

  final Path directory() {
    return directory;
  }

  final Path data() {
    return directory.resolve("data");
  }

  /** Starts a life of it, and returns at once. */
  final ServerProcess run(List<String> command, Map<String, String> environment) {
    ServerProcess started =
        ServerProcess.start(command, directory.resolve("server.log"), environment);
    process = started;
    return started;
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
  public abstract void start();

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

  /** Returns whether it runs, or is stopped. */
  public boolean isRunning() {
    return running().isAlive();
  }

  /** Stops all of its processes with SIGSTOP. */
  public void pause() {
    running().pause();
  }

  /** Lets them run again with SIGCONT. */
  public void resume() {
    running().resume();
  }

  final ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException("The server was not started.");
    }
    return process;
  }

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
