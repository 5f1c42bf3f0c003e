package io.holdfast.cli;

import static io.holdfast.cli.run.Commands.PATIENCE;
import static io.holdfast.cli.run.Commands.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.Tool.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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

  @Test
  void noUpdateOfAPlainFileIsLostWhileSomeAreKilledAtRandom() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Files.writeString(directory.resolve("number"), "0\n");
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      // Slow between reading and writing, with a child that does the writing.
      runs.add(
          tool.start(
              "run",
              "demo",
              "--quiet",
              "--ttl",
              "3s",
              "--",
              "sh",
              "-c",
              "read n <number; (sleep 0.2; n=$((n + 1)); echo $n >number; echo $n >>log; true); true"));
    }
    for (int i = 0; i < 3; i++) {
      Run victim = runs.get(random.nextInt(runs.size()));
      int before = lines();
      await()
          .atMost(PATIENCE)
          .until(() -> lines() > before || runs.stream().noneMatch(r -> r.process().isAlive()));
      victim.signal("KILL");
    }
    List<Integer> codes = new ArrayList<>();
    for (Run run : runs) {
      codes.add(run.exitCode());
    }

    // Done, killed, or ended by itself in time, where the machine was too busy for so short a TTL.
    assertThat(codes).contains(0).isSubsetOf(0, 128 + 9, 74);
    List<String> written = Files.readAllLines(directory.resolve("log"));
    assertThat(written)
        .as("seed %s", seed)
        .doesNotHaveDuplicates()
        .hasSizeGreaterThanOrEqualTo(Collections.frequency(codes, 0));
    // What was written last, and what was written by those that were killed before they could log
    // it.
    long number = Long.parseLong(text(directory.resolve("number")));
    int ended = codes.size() - Collections.frequency(codes, 0);
    assertThat(number).isBetween((long) written.size(), (long) written.size() + ended);
  }

  private int lines() throws Exception {
    Path log = directory.resolve("log");
    return Files.exists(log) ? Files.readAllLines(log).size() : 0;
  }
}
