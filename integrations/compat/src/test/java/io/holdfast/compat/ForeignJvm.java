package io.holdfast.compat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A child JVM whose class path is that of an application which takes its versions from a BOM. */
final class ForeignJvm {

  private static final long TIMEOUT_SECONDS = 300;

  private final Path classPath;

  private ForeignJvm(Path classPath) {
    this.classPath = classPath;
  }

  static ForeignJvm ofBoot(String version) {
    return new ForeignJvm(Path.of("boot-" + version, "target", "classpath"));
  }

  /** Returns what the program printed, after its end. */
  String run(Path directory, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, "out", "");
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    words.add("-Dcompat.lock=" + directory.getFileName());
    words.addAll(List.of("-cp", programs(directory) + File.pathSeparator + libraries()));
    words.add(program.getName());
    words.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("still running: " + Files.readString(out));
      }
      return Files.readString(out);
    } finally {
      process.destroyForcibly();
    }
  }

  private String libraries() throws IOException {
    return Files.readString(classPath).strip();
  }

  /** The programs alone: the tests beside them need what no application has. */
  private static Path programs(Path directory) throws IOException {
    Path programs = directory.resolve("programs");
    Path from = Path.of("target", "test-classes");
    Path app = from.resolve("io/holdfast/compat/app");
    try (Stream<Path> classes = Files.list(app)) {
      for (Path file : classes.toList()) {
        Path to = programs.resolve(from.relativize(file));
        Files.createDirectories(to.getParent());
        if (!Files.exists(to)) {
          Files.copy(file, to);
        }
      }
    }
    return programs;
  }
}
