package io.holdfast.tck.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts JVMs that live for seconds, with the class path of this one. */
public final class ShortLivedJvm {

  /**
   * A quick start of the JVM counts, peak speed does not. The classes are those of the test, which
   * has them verified: that would be a fifth of what a start takes.
   */
  private static final List<String> OPTIONS =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  /** Where SQLite's driver unpacks its library, which a JVM that is killed leaves behind. */
  private static final String LIBRARIES = "org.sqlite.tmpdir";

  private ShortLivedJvm() {}

  /** Returns the command that runs a class, to which its arguments may be added. */
  public static List<String> command(String main, String... options) {
    List<String> command = start();
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    String libraries = System.getProperty(LIBRARIES);
    if (libraries != null) {
      command.add("-D%s=%s".formatted(LIBRARIES, libraries));
    }
    command.addAll(List.of(options));
    List<Path> classPath = new ArrayList<>(classPath(Files::isRegularFile));
    classPath.addAll(classPath(Files::isDirectory));
    command.addAll(List.of("-cp", joined(classPath), main));
    return command;
  }

  /** Returns the command that makes an archive of classes: of jars, which come first therefore. */
  public static List<String> archiving(String... options) {
    List<String> command = start();
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", joined(classPath(Files::isRegularFile))));
    return command;
  }

  private static List<String> start() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    return command;
  }

  private static List<Path> classPath(Predicate<Path> which) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of)
        .filter(which)
        .toList();
  }

  private static String joined(List<Path> classPath) {
    return classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
