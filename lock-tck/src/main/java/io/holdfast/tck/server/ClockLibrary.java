package io.holdfast.tck.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;

/** The library that {@link ShiftedClock} preloads: compiled once in a JVM. */
final class ClockLibrary {

  static final Path FILE = compile();

  private static final String SOURCE = "shifted-clock.c";

  private ClockLibrary() {}

  private static Path compile() {
    try {
      Path directory = Tools.makeTemporaryDirectory("holdfast-clock-library-");
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      Path source = directory.resolve(SOURCE);
      try (InputStream text =
          Objects.requireNonNull(ClockLibrary.class.getResourceAsStream(SOURCE), SOURCE)) {
        Files.copy(text, source);
      }
      Path library = directory.resolve("shifted-clock.so");
      Tools.run(
          List.of(
              Tools.find("gcc", Path.of("/usr"), "gcc").toString(),
              "-std=gnu11",
              "-O2",
              "-Wall",
              "-Werror",
              "-fPIC",
              "-shared",
              "-o",
              library.toString(),
              source.toString()));
      Files.setPosixFilePermissions(library, PosixFilePermissions.fromString("rwxr-xr-x"));
      return library;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
