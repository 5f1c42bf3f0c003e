package io.holdfast.benchmarks.counts;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;

/**
 * The counters that a Redis server has of itself. Commands inside a script count, and so does the
 * script.
 */
final class RedisCounters implements ServerCounters, AutoCloseable {

  private static final Pattern COMMAND =
      Pattern.compile("cmdstat_([^:]+):calls=(\\d+),usec=(\\d+)");
  private static final Pattern LOG_SIZE = Pattern.compile("aof_current_size:(\\d+)");

  /** The time of a script includes that of its commands. */
  private static final Pattern SCRIPT = Pattern.compile("eval(sha)?(_ro)?|fcall(_ro)?");

  private static final String OWN = "info";

  private final Jedis server;
  private int readings;

  /** Connects to the server itself, so that the questions are not counted as traffic. */
  RedisCounters(int port) {
    this.server = new Jedis("127.0.0.1", port);
  }

  @Override
  public Reading read() {
    String text = server.info("everything");
    Map<String, Double> commands = new TreeMap<>();
    double micros = 0;
    Matcher line = COMMAND.matcher(text);
    while (line.find()) {
      commands.merge(line.group(1), Double.valueOf(line.group(2)), Double::sum);
      micros += SCRIPT.matcher(line.group(1)).matches() ? Double.parseDouble(line.group(3)) : 0;
    }
    // A reading does not count itself, only those before it.
    commands.merge(OWN, (double) -readings++, Double::sum);
    Matcher logSize = LOG_SIZE.matcher(text);
    double written = logSize.find() ? Double.parseDouble(logSize.group(1)) : 0;
    return new Reading(
        Map.of(
            Figure.COMMANDS, commands.values().stream().mapToDouble(n -> n).sum(),
            Figure.WRITTEN_BYTES, written,
            Figure.SERVER_MICROS, micros),
        commands);
  }

  @Override
  public void close() {
    server.close();
  }
}
