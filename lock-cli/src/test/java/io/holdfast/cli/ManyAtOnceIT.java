package io.holdfast.cli;

import static io.holdfast.cli.run.Commands.PATIENCE;
import static io.holdfast.cli.run.Commands.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.Tool.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many commands under one lock. */
class ManyAtOnceIT {

  @TempDir private Path directory;
  private Tool tool;

  @BeforeEach
  void setUp() {
    tool = new Tool(Tool.built(), directory);
  }

  @AfterEach
  void tearDown() {
    tool.close();
  }

  @Test
  void twentyAtOnceRunOneAfterTheOtherWithRisingTokens() throws Exception {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      runs.add(
          tool.start(
              "run",
              "demo",
              "--quiet",
              "--",
              "sh",
              "-c",
              "echo begin $HOLDFAST_TOKEN >>log; sleep 0.02; echo end $HOLDFAST_TOKEN >>log"));
    }
    for (Run run : runs) {
      assertThat(run.exitCode()).as(run.err()).isZero();
    }

    List<String> log = Files.readAllLines(directory.resolve("log"));
    assertThat(log).hasSize(40);
    long last = 0;
    for (int i = 0; i < log.size(); i += 2) {
      assertThat(log.get(i)).startsWith("begin ");
      String token = log.get(i).substring(6);
      assertThat(log.get(i + 1)).isEqualTo("end " + token);
      assertThat(Long.parseLong(token)).isGreaterThan(last);
      last = Long.parseLong(token);
    }
  }

  /** Eight loops; holders are killed between the reading and the writing of the number. */
  @Test
  void noUpdateOfAPlainFileIsLostWhileHoldersAreKilled() throws Exception {
    Files.writeString(directory.resolve("numbers"), "0\n");
    Files.writeString(
        directory.resolve("increment"),
        """
        n=$(tail -n 1 numbers)
        echo $PPID >holder.new; mv holder.new holder; echo $HOLDFAST_TOKEN >>began
        (sleep 0.3; echo $((n + 1)) >>numbers; true); true
        """);
    List<Run> loops = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      loops.add(
          tool.startLoop(3, "run", "demo", "--quiet", "--ttl", "3s", "--", "sh", "increment"));
    }
    int kills = 0;
    while (kills < 4) {
      int before = lines("began");
      await().atMost(PATIENCE).until(() -> lines("began") > before);
      // Whoever it is by now: the tool that runs the command that began last.
      new ProcessBuilder("kill", "-9", text(directory.resolve("holder")).strip())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      kills++;
    }
    for (Run loop : loops) {
      loop.exitCode();
    }

    List<String> written = Files.readAllLines(directory.resolve("numbers"));
    int count = written.size() - 1;
    // A lost update would stand there twice.
    assertThat(written)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(0, count).mapToObj(String::valueOf).toList());
    // Some were killed at work, and what they ran died before it could write.
    assertThat(lines("began") - count).isBetween(1, 24 - count);
    assertThat(Files.readAllLines(directory.resolve("began")))
        .extracting(Long::parseLong)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  private int lines(String file) throws Exception {
    Path path = directory.resolve(file);
    return Files.exists(path) ? Files.readAllLines(path).size() : 0;
  }
}
