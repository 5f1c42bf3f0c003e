package io.holdfast.cli;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static io.holdfast.cli.run.Commands.awaitGroupGone;
import static io.holdfast.cli.run.Commands.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.Tool.Run;
import io.holdfast.tck.report.Soak;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A plain file of numbers, to which many runs of the tool add the next one under a lock. Holders
 * are killed between reading and writing.
 */
record Counter(Path directory, int loops) {

  private static final int ROUNDS = Soak.REQUESTED ? 10 : 2;

  /** Makes one that so many shells increase at the same time; half as many holders are killed. */
  static Counter in(Path directory, int loops) throws IOException {
    Files.writeString(directory.resolve("numbers"), "0\n");
    Files.writeString(
        directory.resolve("increment"),
        """
        cd '%s'
        n=$(tail -n 1 numbers)
        echo $PPID $$ >holder.new; mv holder.new holder; echo $HOLDFAST_TOKEN >>began
        while [ -e stay ]; do touch stays; sleep 0.1; done
        (sleep 0.3; echo $((n + 1)) >>numbers; true); true
        """
            .formatted(directory));
    return new Counter(directory, loops);
  }

  /** Counts with these tools by turns. */
  void countWith(List<Tool> tools, String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("run", "demo", "--quiet"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("--", "sh", directory.resolve("increment").toString()));
    List<Run> shells = new ArrayList<>();
    for (int i = 0; i < loops; i++) {
      shells.add(tools.get(i % tools.size()).startLoop(ROUNDS, arguments.toArray(String[]::new)));
    }
    for (int kill = 0; kill < loops / 2; kill++) {
      // A command is at work until its tool is killed and its keeper has killed it, however long
      // that takes.
      Path stay = Files.createFile(directory.resolve("stay"));
      Path stays = directory.resolve("stays");
      await().atMost(TIMEOUT).until(() -> Files.exists(stays));
      String[] toolAndCommand = text(directory.resolve("holder")).split(" ", -1);
      new ProcessBuilder("kill", "-9", toolAndCommand[0])
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      awaitGroupGone(Long.parseLong(toolAndCommand[1]));
      Files.delete(stay);
      Files.deleteIfExists(stays);
    }
    for (Run shell : shells) {
      shell.exitCode();
    }
  }

  void assertThatNoUpdateIsLost() throws IOException {
    List<String> written = Files.readAllLines(directory.resolve("numbers"));
    int count = written.size() - 1;
    // A lost update would stand there twice.
    assertThat(written)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(0, count).mapToObj(String::valueOf).toList());
    // Some were killed at work, and what they ran died before it could write.
    assertThat(began().size() - count).isBetween(1, loops * ROUNDS - count);
    assertThat(began()).extracting(Long::parseLong).isSorted().doesNotHaveDuplicates();
  }

  private List<String> began() throws IOException {
    Path file = directory.resolve("began");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }
}
