package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A short job that several processes start, two at the same moment, the others when it has ended
 * already, as machines do whose clocks differ. It runs once.
 *
 * @param processes how many; of ten the last comes 20 s after the first
 */
record OnceJob(Path file, int processes) {

  private static final int FIRST = 2;
  private static final long APART_MILLIS = 20_000 / 8;

  void startOn(Tool tool, String... options) throws Exception {
    List<Tool.Run> runs = new ArrayList<>();
    while (runs.size() < FIRST) {
      runs.add(start(tool, options));
    }
    for (Tool.Run run : runs) {
      run.exitCode();
    }
    while (runs.size() < processes) {
      TimeUnit.MILLISECONDS.sleep(APART_MILLIS);
      runs.add(start(tool, options));
    }

    List<Integer> codes = new ArrayList<>();
    for (Tool.Run run : runs) {
      codes.add(run.exitCode());
    }
    assertThat(codes).as("exit codes").containsOnlyOnce(0).containsOnly(0, 75);
    assertThat(Files.readAllLines(file)).as("runs of the job").hasSize(1);
  }

  private Tool.Run start(Tool tool, String... options) throws Exception {
    List<String> words =
        Stream.of(
                // A busy machine may take longer to start a client than a client waits for its
                // store.
                Stream.of("run", "--at-least", "10m", "--at-most", "20m", "--retry", "5m"),
                Stream.of(options),
                Stream.of("nightly", "--", "sh", "-c", "echo ran >>'" + file + "'; sleep 1"))
            .flatMap(all -> all)
            .toList();
    return tool.start(words.toArray(String[]::new));
  }
}
