package io.holdfast.benchmarks.comparison;

import io.holdfast.benchmarks.contender.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a contender, beside the limit. A ratio is that of two batches of the same round.
 *
 * @param name the contender
 * @param role the purpose of its comparison
 * @param settings how it is configured
 * @param threads how many threads took locks at once
 * @param pairs how many pairs were measured
 * @param medianMicrosByRound the median time of a pair in each round
 * @param medianMicros the median time of a pair
 * @param medianRatio the same, divided by the limit's
 * @param tail the 99th percentile
 * @param tailRatio the same, divided by the limit's
 * @param pairsPerSecond of all threads together
 * @param throughputRatio the same, divided by the limit's
 * @param clientCpuMicros the cost of a pair to this process
 * @param clientCpuRatio the same, divided by the limit's
 * @param serverCpuMicros the cost of a pair to the server
 * @param cpuRatio the cost of a pair to both, divided by that for the limit
 * @param allocatedBytes those that a pair allocates in this process
 * @param allocatedBeyondLimit the same, less the limit's
 */
public record Figures(
    String name,
    Contender.Role role,
    String settings,
    int threads,
    long pairs,
    List<Double> medianMicrosByRound,
    Spread medianMicros,
    Spread medianRatio,
    Tail tail,
    double tailRatio,
    Spread pairsPerSecond,
    Spread throughputRatio,
    double clientCpuMicros,
    double clientCpuRatio,
    double serverCpuMicros,
    double cpuRatio,
    double allocatedBytes,
    double allocatedBeyondLimit) {

  static Figures of(Contender contender, int threads, List<Batch> batches, List<Batch> limit) {
    Tail tail = Tail.of(batches.stream().map(Batch::times).toList());
    double limitTail = Tail.of(limit.stream().map(Batch::times).toList()).micros();
    double clientCpu = perPair(batches, Batch::clientCpuNanos) / 1e3;
    double allocated = perPair(batches, Batch::allocatedBytes);
    List<Double> medians = each(batches, batch -> batch.medianNanos() / 1e3);
    return new Figures(
        contender.name(),
        contender.role(),
        contender.settings(),
        threads,
        batches.stream().mapToLong(Batch::pairs).sum(),
        medians,
        Spread.of(medians),
        Spread.of(ratios(batches, limit, Batch::medianNanos)),
        tail,
        tail.micros() / limitTail,
        Spread.of(each(batches, Batch::pairsPerSecond)),
        Spread.of(ratios(batches, limit, Batch::pairsPerSecond)),
        clientCpu,
        clientCpu / (perPair(limit, Batch::clientCpuNanos) / 1e3),
        perPair(batches, Batch::serverCpuNanos) / 1e3,
        perPair(batches, Batch::cpuNanos) / perPair(limit, Batch::cpuNanos),
        allocated,
        allocated - perPair(limit, Batch::allocatedBytes));
  }

  /** Returns how many times the other's median time this one's is, of the same run. */
  public Spread medianRatioTo(Figures other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < medianMicrosByRound.size(); i++) {
      ratios.add(medianMicrosByRound.get(i) / other.medianMicrosByRound.get(i));
    }
    return Spread.of(ratios);
  }

  private static double perPair(List<Batch> batches, ToDoubleFunction<Batch> figure) {
    return batches.stream().mapToDouble(figure).sum()
        / batches.stream().mapToLong(Batch::pairs).sum();
  }

  private static List<Double> each(List<Batch> batches, ToDoubleFunction<Batch> figure) {
    return batches.stream().map(figure::applyAsDouble).toList();
  }

  private static List<Double> ratios(
      List<Batch> batches, List<Batch> limit, ToDoubleFunction<Batch> figure) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < batches.size(); i++) {
      ratios.add(figure.applyAsDouble(batches.get(i)) / figure.applyAsDouble(limit.get(i)));
    }
    return ratios;
  }
}
