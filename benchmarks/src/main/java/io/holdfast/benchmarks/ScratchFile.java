package io.holdfast.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A lock file in a directory of its own, which goes with it. */
final class ScratchFile implements AutoCloseable {

  private final Path directory;

  ScratchFile() {
    try {
      directory = Files.createTempDirectory("holdfast-benchmark-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path() {
    return directory.resolve("locks.db");
  }

  String uri() {
    return "jdbc:sqlite:" + path();
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
