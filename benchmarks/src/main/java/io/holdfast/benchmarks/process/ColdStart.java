package io.holdfast.benchmarks.process;

import io.holdfast.benchmarks.comparison.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** Commands that are started from nothing, in turns. */
public final class ColdStart {

  private ColdStart() {}

  /**
   * A command that takes a lock, runs {@code true}, and gives the lock back; or what it is compared
   * with.
   *
   * @param name for people
   * @param words the program and its arguments
   */
  public record Command(String name, List<String> words) {}

  /**
   * The times of a start.
   *
   * @param name the command
   * @param wallMillis until it had ended
   * @param wallRatio the same, divided by that of the first command in the same round
   * @param cpuMillis user and system time of it and of all that it started and waited for
   * @param cpuRatio the same, divided by that of the first command in the same round
   */
  public record Figures(
      String name, Spread wallMillis, Spread wallRatio, Spread cpuMillis, Spread cpuRatio) {}

  /**
   * Starts each command once a round, in an order that changes, after one round that counts not.
   */
  public static List<Figures> run(List<Command> commands, int rounds)
      throws IOException, InterruptedException {
    Random order = new Random(1);
    Map<Command, List<CommandTime>> times = new LinkedHashMap<>();
    for (Command command : commands) {
      times.put(command, new ArrayList<>());
      CommandTime.of(command.words());
    }
    for (int round = 0; round < rounds; round++) {
      List<Command> shuffled = new ArrayList<>(commands);
      Collections.shuffle(shuffled, order);
      for (Command command : shuffled) {
        times.getOrDefault(command, List.of()).add(CommandTime.of(command.words()));
      }
    }
    List<CommandTime> first = times.getOrDefault(commands.get(0), List.of());
    return times.entrySet().stream()
        .map(each -> figures(each.getKey().name(), each.getValue(), first))
        .toList();
  }

  private static Figures figures(String name, List<CommandTime> times, List<CommandTime> first) {
    return new Figures(
        name,
        Spread.of(times.stream().map(CommandTime::wallMillis).toList()),
        Spread.of(ratios(times, first, CommandTime::wallMillis)),
        Spread.of(times.stream().map(CommandTime::cpuMillis).toList()),
        Spread.of(ratios(times, first, CommandTime::cpuMillis)));
  }

  private static List<Double> ratios(
      List<CommandTime> times, List<CommandTime> first, ToDoubleFunction<CommandTime> figure) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      ratios.add(figure.applyAsDouble(times.get(i)) / figure.applyAsDouble(first.get(i)));
    }
    return ratios;
  }
}
