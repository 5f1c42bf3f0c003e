package io.holdfast.tck.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts JVMs that live for seconds, with the class path of this one. */
public final class ShortLivedJvm {

  /**
   * What makes a JVM start quickly counts, peak speed does not. The classes are those of the test,
   * which has them verified: that would be a fifth of what a start takes.
   */
  private static final List<String> OPTIONS =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  private ShortLivedJvm() {}

  /** Returns the command that runs a class, to which its arguments may be added. */
  public static List<String> command(String main, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    return command;
  }
}
