package io.holdfast.tck.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server with its own data in its own directory, and with ports of 127.0.0.1 that it keeps over
 * restarts. Used by one thread at a time.
 */
public abstract class StoreServer implements AutoCloseable {

  private final Path directory;
  private @Nullable ServerProcess process;

  /**
   * Makes a server that does not run yet.
   *
   * @param directory the directory of its files, which is deleted with it, or when the JVM ends
   */
  protected StoreServer(Path directory) {
    this.directory = directory;
  }

  /** Returns the signal on which it shuts down without waiting for clients and without loss. */
  protected abstract String shutdownSignal();

  /** Makes the data of a server that was never started, if the server does not make it itself. */
  protected void makeData() {}

  /**
   * Takes away what a process that was killed has left outside of the directory. The data is still
   * there.
   */
  protected void clearAfterKill() {}

  protected final Path directory() {
    return directory;
  }

  protected final Path data() {
    return directory.resolve("data");
  }

  /** Starts a process of it, and returns at once. */
  protected final ServerProcess run(List<String> command, Map<String, String> environment) {
    ServerProcess started =
        ServerProcess.start(command, directory.resolve("server.log"), environment);
    process = started;
    Leftovers.add(this);
    return started;
  }

  /** Starts it for the first time. */
  protected final void startFirst(Runnable makeData) {
    try {
      makeData.run();
      start();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Starts it with its present data, and returns when it answers. */
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
    clearAfterKill();
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

  protected final ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException("The server was not started.");
    }
    return process;
  }

  /** Returns its output. */
  public String printed() {
    return running().printed();
  }

  /** Kills it and deletes its data. */
  @Override
  public void close() {
    if (Leftovers.areRemoved()) {
      return;
    }
    if (process != null) {
      process.close();
      clearAfterKill();
    }
    Leftovers.forget(this);
    Tools.delete(directory);
  }
}
