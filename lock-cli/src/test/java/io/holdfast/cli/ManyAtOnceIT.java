package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Tool.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many commands under one lock. */
@Tag("long")
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
  void noUpdateOfAPlainFileIsLostWhileHoldersAreKilled() throws Exception {
    Counter counter = Counter.in(directory, 8);

    counter.countWith(List.of(tool), "--ttl", "3s");

    counter.assertThatNoUpdateIsLost();
  }
}
