package io.holdfast.jdbc.file;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operating system's news of writes to a lock file and to its log, which lies beside it. The
 * directory is watched: the file itself is never opened.
 */
public final class FileEvents implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FileEvents.class);

  private final WatchService service;
  private final Path file;
  private WatchKey present;

  private FileEvents(WatchService service, Path file) throws IOException {
    this.service = service;
    this.file = file;
    this.present = register();
  }

  private WatchKey register() throws IOException {
    return file.resolveSibling("").register(service, StandardWatchEventKinds.ENTRY_MODIFY);
  }

  /**
   * Returns whether the system tells of writes at once. Only Linux does: elsewhere Java itself
   * looks every few seconds, or a file that is kept open seems unchanged.
   */
  public static boolean areTold() {
    return System.getProperty("os.name", "").equals("Linux");
  }

  /** Begins to watch; empty where the system does not tell at once. */
  public static Optional<FileEvents> of(Path file) {
    if (!areTold()) {
      return Optional.empty();
    }
    try {
      Path real = file.toRealPath();
      WatchService service = real.getFileSystem().newWatchService();
      try {
        return Optional.of(new FileEvents(service, real));
      } catch (IOException | RuntimeException | Error e) {
        service.close();
        throw e;
      }
    } catch (IOException | UnsupportedOperationException e) {
      // A user may have no more than some hundred of them.
      LOG.debug("{}: the system tells of no changes", file, e);
      return Optional.empty();
    }
  }

  /**
   * Waits for a write into the directory, at most for so long; returns whether there was one. Which
   * file it was does not matter: a thread that slept on after the writes to another would be woken
   * by each of them, however many those are.
   */
  boolean await(long nanos) throws InterruptedException, SQLException {
    long begunNanos = System.nanoTime();
    try {
      while (true) {
        long leftNanos = nanos - (System.nanoTime() - begunNanos);
        @Nullable WatchKey key = service.poll(leftNanos, TimeUnit.NANOSECONDS);
        if (key == null) {
          return false;
        }
        key.pollEvents();
        if (!key.reset() && key.equals(present)) {
          throw new SQLException("The directory of the lock file is gone.");
        }
        if (key.equals(present)) {
          return true;
        }
      }
    } catch (ClosedWatchServiceException e) {
      throw new SQLException("It was closed.", e);
    }
  }

  /** Has the system tell nothing for a while. */
  void pause() {
    present.cancel();
  }

  void goOn() throws SQLException {
    try {
      present = register();
    } catch (IOException | ClosedWatchServiceException e) {
      throw new SQLException("The directory of the lock file cannot be watched any more.", e);
    }
  }

  @Override
  public void close() {
    try {
      service.close();
    } catch (IOException e) {
      LOG.debug("A watch could not be closed", e);
    }
  }
}
