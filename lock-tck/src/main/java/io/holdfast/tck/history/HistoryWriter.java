package io.holdfast.tck.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writes the events of one process to its file, each at once and as one line, so that a process
 * that is killed leaves everything it saw, but for at most one torn line at the end. Thread-safe.
 */
public final class HistoryWriter implements AutoCloseable {

  /** How the files of a history end. */
  static final String SUFFIX = ".history";

  // Not a FileChannel: that one closes itself when a thread is interrupted in it, and workers are.
  // Opened for appending, and a line is one write to the system: lines never mix.
  private final FileOutputStream file;

  private HistoryWriter(FileOutputStream file) {
    this.file = file;
  }

  /** Opens the file of a process in a directory that the processes of one run share. */
  public static HistoryWriter open(Path directory, String process) {
    try {
      return new HistoryWriter(
          new FileOutputStream(directory.resolve(process + SUFFIX).toFile(), true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes an event. Costs one call to the system. */
  public void record(HistoryEvent event) {
    try {
      file.write((HistoryLine.format(event) + '\n').getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
