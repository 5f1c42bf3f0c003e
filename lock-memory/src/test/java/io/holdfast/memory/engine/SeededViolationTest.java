package io.holdfast.memory.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State that the lock of a client guards is reached in turns alone: the compiler sees to it. */
class SeededViolationTest {

  private static final String SOURCE =
      """
      package io.holdfast.engine.gate;

      import io.holdfast.engine.turn.Core;
      import io.holdfast.engine.turn.Turn;

      final class Violation {
        private Violation() {}

        static boolean leaveInATurn(Core core, Gate gate, Ticket ticket) {
          Turn turn = core.turn();
          turn.lock.lock();
          try {
            return gate.leave(ticket, turn);
          } finally {
            turn.lock.unlock();
          }
        }

        static boolean leaveWithoutTheLock(Core core, Gate gate, Ticket ticket) {
          Turn turn = core.turn();
          return gate.leave(ticket, turn); // refused
        }
      }
      """;

  @Test
  void theBuildRefusesACallOfATurnMethodWithoutTheLock(@TempDir Path folder) throws Exception {
    int refused = (int) SOURCE.lines().takeWhile(line -> !line.contains("refused")).count() + 1;
    assertThat(compile(SOURCE, folder).lines().filter(line -> line.contains("error:")))
        .singleElement()
        .asString()
        .endsWith(
            "Violation.java:%d: error: [GuardedBy] This access should be guarded by 'turn.lock', which is not currently held"
                .formatted(refused));
  }

  /** Compiles with the settings of this build, in a JVM of its own, and returns what it says. */
  private static String compile(String source, Path folder) throws Exception {
    Path root = requireNonNull(Path.of("").toAbsolutePath().getParent());
    Path file = Files.writeString(folder.resolve("Violation.java"), source);
    String pom = Files.readString(root.resolve("pom.xml"));
    Matcher plugin = Pattern.compile("<arg>(-Xplugin:ErrorProne [^<]*)</arg>").matcher(pom);
    assertThat(plugin.find()).isTrue();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    for (String option : Files.readAllLines(root.resolve(".mvn/jvm.config"))) {
      command.add("-J" + option.replace(' ', '='));
    }
    String classPath = System.getProperty("java.class.path");
    command.addAll(
        List.of(
            "-XDcompilePolicy=simple",
            "--should-stop=ifError=FLOW",
            "-classpath",
            classPath,
            // The guard is a parameter: with this, its name is read from class files too.
            "-parameters",
            "-processorpath",
            classPath,
            plugin.group(1).replace("${errorprone.unused} ", ""),
            "-d",
            folder.toString(),
            file.toString()));
    Process javac = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(javac.getInputStream().readAllBytes(), UTF_8);
    javac.waitFor();
    return said;
  }
}
