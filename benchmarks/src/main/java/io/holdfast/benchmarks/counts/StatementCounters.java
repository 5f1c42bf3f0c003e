package io.holdfast.benchmarks.counts;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements that are executed in this process. Those of a watch come with the time that passes
 * and with what others write, so they have names of their own.
 */
final class StatementCounters implements ServerCounters, Consumer<String> {

  /** Before the name of a statement that a watch executes. */
  static final String OF_WATCH = "watch: ";

  private static final String WATCH = "holdfast-watch";
  private static final Pattern KIND = Pattern.compile("\\s*(\\w+)");

  private final Map<String, Double> counts = new ConcurrentHashMap<>();

  @Override
  public void accept(String statement) {
    Matcher kind = KIND.matcher(statement);
    String name = kind.lookingAt() ? kind.group(1).toLowerCase(Locale.ROOT) : "";
    boolean isOfWatch = Thread.currentThread().getName().equals(WATCH);
    counts.merge(isOfWatch ? OF_WATCH + name : name, 1.0, Double::sum);
  }

  @Override
  public Reading read() {
    Map<String, Double> now = Map.copyOf(counts);
    double all = now.values().stream().mapToDouble(n -> n).sum();
    return new Reading(Map.of(Figure.COMMANDS, all), now);
  }
}
