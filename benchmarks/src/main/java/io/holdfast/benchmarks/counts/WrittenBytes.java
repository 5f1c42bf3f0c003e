package io.holdfast.benchmarks.counts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The bytes that this process has written to files: right for a database that is part of it, while
 * it does nothing else. Tells nothing where the system keeps no account of it.
 */
final class WrittenBytes implements ServerCounters {

  private static final Path ACCOUNT = Path.of("/proc/self/io");
  private static final String WRITTEN = "wchar: ";

  @Override
  public Reading read() {
    if (!Files.isReadable(ACCOUNT)) {
      return new Reading(Map.of(), Map.of());
    }
    try {
      return Files.readAllLines(ACCOUNT).stream()
          .filter(line -> line.startsWith(WRITTEN))
          .map(line -> Double.valueOf(line.substring(WRITTEN.length())))
          .map(bytes -> new Reading(Map.of(Figure.WRITTEN_BYTES, bytes), Map.of()))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
