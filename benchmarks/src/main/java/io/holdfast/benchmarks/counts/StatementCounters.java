package io.holdfast.benchmarks.counts;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statements that are executed in this process. */
final class StatementCounters implements ServerCounters, Consumer<String> {

  private static final Pattern KIND = Pattern.compile("\\s*(\\w+)");

  private final Map<String, Double> counts = new ConcurrentHashMap<>();

  @Override
  public void accept(String statement) {
    Matcher kind = KIND.matcher(statement);
    counts.merge(kind.lookingAt() ? kind.group(1).toLowerCase(Locale.ROOT) : "", 1.0, Double::sum);
  }

  @Override
  public Reading read() {
    Map<String, Double> now = Map.copyOf(counts);
    double all = now.values().stream().mapToDouble(n -> n).sum();
    return new Reading(Map.of(Figure.COMMANDS, all), now);
  }
}
