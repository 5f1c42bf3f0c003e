package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A short job that several processes start, some at the same moment, others when it has ended
 * already, as machines do whose clocks differ. It runs once.
 */
record OnceJob(Path file) {

  void startOn(Tool tool, String... options) throws Exception {
    Tool.Run first = start(tool, options);
    Tool.Run beside = start(tool, options);
    List<Integer> codes = new ArrayList<>(List.of(first.exitCode(), beside.exitCode()));
    codes.add(start(tool, options).exitCode());

    assertThat(codes).as("exit codes").containsExactlyInAnyOrder(0, 75, 75);
    assertThat(Files.readAllLines(file)).as("runs of the job").hasSize(1);
  }

  private Tool.Run start(Tool tool, String... options) throws Exception {
    List<String> words =
        Stream.of(
                Stream.of("run", "--at-least", "10m", "--at-most", "20m"),
                Stream.of(options),
                Stream.of("nightly", "--", "sh", "-c", "echo ran >>'" + file + "'; sleep 1"))
            .flatMap(all -> all)
            .toList();
    return tool.start(words.toArray(String[]::new));
  }
}
