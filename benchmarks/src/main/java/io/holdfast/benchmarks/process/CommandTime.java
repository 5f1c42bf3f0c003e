package io.holdfast.benchmarks.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The times of one run of a command. Measured by bash, since Java is not told the CPU time of a
 * process that has ended; bash adds a fork of its own to each.
 *
 * @param wallMillis from its start to its end
 * @param cpuMillis user and system time of it and of all that it started and waited for
 */
record CommandTime(double wallMillis, double cpuMillis) {

  /** The last line is of three numbers, after all that the command itself has printed. */
  private static final String TIMED =
      """
      TIMEFORMAT='%3R %3U %3S'
      complaints=$( { time "$@" </dev/null >/dev/null; } 2>&1 )
      code=$?
      echo "$complaints"
      exit $code""";

  static CommandTime of(List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash", "-c", TIMED, "timed"));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command);
    // A decimal point in every language.
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    String printed =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("%s failed: %s".formatted(words, printed));
    }
    return parse(printed.substring(printed.lastIndexOf('\n') + 1));
  }

  /** Reads seconds of wall, user and system time. */
  static CommandTime parse(String line) {
    String[] seconds = line.split(" ", -1);
    return new CommandTime(millis(seconds[0]), millis(seconds[1]) + millis(seconds[2]));
  }

  private static double millis(String seconds) {
    return Double.parseDouble(seconds) * 1e3;
  }
}
