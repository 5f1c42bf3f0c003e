package io.holdfast.tck.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs and directories that servers need. */
public final class Tools {

  private Tools() {}

  /**
   * Finds a program in PATH, or else below a directory that holds one directory a version: {@code
   * ROOT/VERSION/bin}, the newest first.
   *
   * @throws IllegalStateException if it is nowhere: a test that needs it must not skip itself
   */
  public static Path find(String program, Path root, String debianPackage) {
    return Stream.concat(inPath(), versions(root))
        .map(directory -> directory.resolve(program))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Tools::real)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "No %s in PATH or below %s. Install it (on Debian the package %s), or run ./verify, which does, or leave out the tests tagged \"server\"."
                        .formatted(program, root, debianPackage)));
  }

  /** A link may lie where its neighbours do not. */
  private static Path real(Path program) {
    try {
      return program.toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With the directory of servers, which a plain user's PATH leaves out. */
  private static Stream<Path> inPath() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), Stream.of("/usr/sbin"))
        .filter(s -> !s.isEmpty())
        .map(Path::of);
  }

  private static Stream<Path> versions(Path root) {
    if (!Files.isDirectory(root)) {
      return Stream.empty();
    }
    try (Stream<Path> found = Files.list(root)) {
      return found
          .sorted(Comparator.comparingInt(Tools::version).reversed())
          .map(version -> version.resolve("bin"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int version(Path directory) {
    String digits = directory.getFileName().toString().replaceAll("[^0-9].*", "");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  /** Runs a program to its end and returns what it printed; fails with that if it fails. */
  public static String run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " failed: " + printed);
      }
      return printed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while running " + command, e);
    }
  }

  /** Returns whether a program that asks a server says yes. */
  public static boolean succeeds(List<String> command) {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while running " + command, e);
    }
  }

  /** Runs a program that asks a server, and returns what it prints, whether it fails or not. */
  public static String printed(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes an empty directory of this user's, which is deleted when the JVM has ended. */
  public static Path makeTemporaryDirectory(String prefix) {
    try {
      Path directory = Files.createTempDirectory(prefix);
      Leftovers.add(directory);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a directory unless it is there. */
  public static Path makeDirectory(Path directory) {
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a directory with all that is in it. */
  public static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> all = new ArrayList<>();
    try (Stream<Path> found = Files.walk(directory)) {
      found.forEach(all::add);
      for (int i = all.size() - 1; i >= 0; i--) {
        Files.deleteIfExists(all.get(i));
      }
      Leftovers.forget(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
