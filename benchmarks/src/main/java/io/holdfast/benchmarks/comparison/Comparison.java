package io.holdfast.benchmarks.comparison;

import io.holdfast.benchmarks.contender.Contender;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Lets contenders take turns. Each round runs one batch of each, in an order that changes from
 * round to round, so that none always follows the same other.
 */
public final class Comparison {

  private final Timing timing;
  private final Random order = new Random(1);

  public Comparison(Timing timing) {
    this.timing = timing;
  }

  /**
   * Compares contenders of one store.
   *
   * @param contenders the limit first
   * @param threads how many threads take locks at once, each a lock of its own
   */
  public List<Figures> run(List<Contender> contenders, int threads) throws Exception {
    return run(contenders, threads, threads);
  }

  /**
   * Compares contenders of one store.
   *
   * @param contenders the one first that the others are compared with
   * @param threads how many threads take the same lock
   */
  public List<Figures> runOnOneLock(List<Contender> contenders, int threads) throws Exception {
    return run(contenders, threads, 1);
  }

  private List<Figures> run(List<Contender> contenders, int threads, int locks) throws Exception {
    List<Runner> runners = new ArrayList<>();
    try {
      for (Contender contender : contenders) {
        runners.add(new Runner(contender, threads, locks));
      }
      for (Runner runner : runners) {
        runner.run(timing.warmup());
      }
      return measured(runners, threads);
    } finally {
      for (Runner runner : runners) {
        runner.close();
      }
    }
  }

  /**
   * Measures until the rounds agree. While they do not, and the timing allows it, as much is
   * measured again, and each two rounds that follow one another count as one: what disturbs a short
   * batch disturbs a long one less.
   */
  private List<Figures> measured(List<Runner> runners, int threads) throws Exception {
    int batches = 1;
    measure(runners, timing.rounds());
    List<Figures> figures = figures(runners, threads, batches);
    for (int i = 0; i < timing.doublings() && !agree(figures); i++) {
      measure(runners, timing.rounds() * batches);
      batches *= 2;
      figures = figures(runners, threads, batches);
    }
    return figures;
  }

  private void measure(List<Runner> runners, int turns) throws Exception {
    for (int turn = 0; turn < turns; turn++) {
      List<Runner> shuffled = new ArrayList<>(runners);
      Collections.shuffle(shuffled, order);
      for (Runner runner : shuffled) {
        runner.measure(timing.batch());
      }
    }
  }

  private static List<Figures> figures(List<Runner> runners, int threads, int batches) {
    List<Batch> limit = runners.get(0).rounds(batches);
    return runners.stream()
        .map(runner -> Figures.of(runner.contender(), threads, runner.rounds(batches), limit))
        .toList();
  }

  /** Returns whether each ratio that is reported is usable: that to the limit, and that to ours. */
  private static boolean agree(List<Figures> figures) {
    List<Figures> ours =
        figures.stream().filter(each -> each.role() == Contender.Role.HOLDFAST).toList();
    return figures.stream()
        .allMatch(
            each ->
                each.medianRatio().usable()
                    && each.throughputRatio().usable()
                    && ours.stream().allMatch(own -> each.medianRatioTo(own).usable()));
  }
}
