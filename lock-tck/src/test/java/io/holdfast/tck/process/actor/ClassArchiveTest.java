package io.holdfast.tck.process.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.tck.server.ShortLivedJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {

  private static final Duration WITHIN = Duration.ofMinutes(1);

  @TempDir private Path directory;

  private static final String READY = "ready";

  /** A child that needs a class of a jar, and lives until its input ends. */
  static final class Needy {
    public static void main(String[] arguments) throws IOException {
      Assertions.assertThat(arguments).as("the arguments of a child").hasSize(1);
      if (arguments[0].equals("killed")) {
        Runtime.getRuntime().halt(137);
      }
      System.out.println(READY);
      var unused = System.in.read();
    }
  }

  @Test
  void aLaterChildHasItsClassesFromTheArchive() throws Exception {
    ClassArchive archive = new ClassArchive(directory);

    assertThat(run(archive, "first")).as("the first child").doesNotContain(SHARED);
    await()
        .atMost(WITHIN)
        .until(() -> String.join(" ", archive.next().options()).contains("Shared"));

    assertThat(run(archive, "second")).as("the second child").contains(SHARED);
  }

  @Test
  void theArchiveIsMadeWhileTheFirstChildLives() throws Exception {
    ClassArchive archive = new ClassArchive(directory);
    ClassArchive.Use use = archive.next();
    Process first = start(use, "first");
    try (BufferedReader output = first.inputReader(StandardCharsets.UTF_8)) {
      output.lines().takeWhile(line -> !line.equals(READY)).forEach(line -> {});
      use.ready();
      await()
          .atMost(WITHIN)
          .until(() -> String.join(" ", archive.next().options()).contains("Shared"));
      assertThat(first.isAlive()).as("the first child lives").isTrue();
    } finally {
      first.destroyForcibly();
    }
  }

  @Test
  void aChildThatIsKilledIsFollowedByAnotherThatTells() throws Exception {
    ClassArchive archive = new ClassArchive(directory);

    run(archive, "killed");
    await().atMost(WITHIN).until(() -> archive.next().lists());
  }

  /** What one has begun that was killed may still write when another begins. */
  @Test
  void whoTellsAfterAnotherWritesToAnotherFile() throws Exception {
    ClassArchive archive = new ClassArchive(directory);
    ClassArchive.Use first = archive.next();
    run(first, "killed");

    ClassArchive.Use second = await().atMost(WITHIN).until(archive::next, ClassArchive.Use::lists);

    assertThat(second.options()).hasSize(1).doesNotContainAnyElementsOf(first.options());
  }

  @Test
  void anArchiveIsMadeOnceForAllWhoShareItsDirectory() throws Exception {
    ClassArchive archive = new ClassArchive(directory);
    ClassArchive other = new ClassArchive(directory);

    assertThat(archive.next().lists()).isTrue();
    assertThat(other.next().lists()).isFalse();

    ClassArchive another = new ClassArchive(Files.createDirectory(directory.resolve("another")));
    run(another, "first");
    await()
        .atMost(WITHIN)
        .until(() -> String.join(" ", another.next().options()).contains("Shared"));
    assertThat(run(new ClassArchive(directory.resolve("another")), "second")).contains(SHARED);
  }

  private static final String SHARED =
      "org.assertj.core.api.Assertions source: shared objects file";

  /** Runs a child to its end and returns what it printed: where each class came from. */
  private static String run(ClassArchive archive, String argument) throws IOException {
    return run(archive.next(), argument);
  }

  private static String run(ClassArchive.Use use, String argument) throws IOException {
    Process process = start(use, argument);
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      StringBuilder printed = new StringBuilder();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        printed.append(line).append('\n');
        if (line.equals(READY)) {
          use.ready();
          process.outputWriter().close();
        }
      }
      return printed.toString();
    }
  }

  private static Process start(ClassArchive.Use use, String argument) throws IOException {
    List<String> options = new ArrayList<>(use.options());
    options.add("-Xlog:class+load");
    List<String> command =
        ShortLivedJvm.command(Needy.class.getName(), options.toArray(String[]::new));
    command.add(argument);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    use.begun(process);
    return process;
  }
}
