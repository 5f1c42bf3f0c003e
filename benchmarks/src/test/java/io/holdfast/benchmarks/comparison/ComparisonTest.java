package io.holdfast.benchmarks.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Timing PACE = new Timing(5, SHORT, SHORT, 0);

  /** A contender that has a connection for each thread, and does not get it. */
  private static final String UNCONNECTED = "unconnected";

  private final AtomicInteger open = new AtomicInteger();
  private final List<String> locks = new ArrayList<>();

  private Contender contender(String name, LockPair pair) {
    return new Contender() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Role role() {
        return Role.PEER;
      }

      @Override
      public String settings() {
        return "none";
      }

      @Override
      public OpenContender open(int threads) {
        open.incrementAndGet();
        return new OpenContender() {
          @Override
          public LockPair pair(String lock) {
            if (name.equals(UNCONNECTED)) {
              throw new IllegalStateException("no connection left");
            }
            locks.add(lock);
            return pair;
          }

          @Override
          public void close() {
            open.decrementAndGet();
          }
        };
      }
    };
  }

  @Test
  void eachThreadHasALockOfItsOwnAndAllIsClosed() throws Exception {
    List<Figures> figures = new Comparison(PACE).run(List.of(contender("one", () -> {})), 3);

    assertThat(locks).containsExactly("lock-0", "lock-1", "lock-2");
    assertThat(open).hasValue(0);
    // Each thread does a pair in each round, however short that is.
    assertThat(figures).singleElement().satisfies(f -> assertThat(f.pairs()).isGreaterThan(14));
  }

  @Test
  void aPairThatFailsEndsItAndAllIsClosed() {
    Contender fails =
        contender(
            "fails",
            () -> {
              throw new IllegalStateException("not granted");
            });

    assertThatThrownBy(
            () -> new Comparison(PACE).run(List.of(contender("limit", () -> {}), fails), 1))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("not granted");
    assertThat(open).hasValue(0);
  }

  @Test
  void aContenderThatIsNotConnectedEndsItAndAllIsClosed() {
    List<Contender> contenders =
        List.of(contender("limit", () -> {}), contender(UNCONNECTED, () -> {}));

    assertThatThrownBy(() -> new Comparison(PACE).run(contenders, 1))
        .hasMessage("no connection left");
    assertThat(open).hasValue(0);
  }

  @Test
  void aRatioIsThatOfTheSameRound() {
    // The machine became ten times slower in the second round, for both.
    List<Batch> limit = List.of(batch(1_000, 10, 200), batch(10_000, 10, 200));
    List<Batch> other = List.of(batch(2_000, 5, 300), batch(20_000, 5, 300));

    Figures figures = Figures.of(contender("other", () -> {}), 1, other, limit);

    assertThat(figures.medianRatio().median()).isCloseTo(2, within(0.001));
    assertThat(figures.medianRatio().spread()).isLessThan(0.001);
    assertThat(figures.throughputRatio()).isEqualTo(new Spread(0.5, 0));
  }

  @Test
  void roundsThatDoNotAgreeAreMeasuredAgainAndCountAsOne() throws Exception {
    AtomicInteger turns = new AtomicInteger();
    Timing timing = new Timing(8, Duration.ZERO, Duration.ZERO, 2);
    // Every second batch, which is one pair, takes long.
    Contender unsteady =
        contender("unsteady", () -> TimeUnit.MILLISECONDS.sleep(turns.getAndIncrement() % 2 * 20L));

    List<Figures> figures =
        new Comparison(timing).run(List.of(contender("limit", () -> {}), unsteady), 1);

    assertThat(figures.get(1).pairs()).isIn(16L, 32L);
    assertThat(figures.get(1).medianMicrosByRound()).hasSize(8);
  }

  /** Otherwise it would count for the contender, and the more, the fewer pairs a batch has. */
  @Test
  void aBatchAllocatesNextToNothingItself() throws Exception {
    try (Runner runner =
        new Runner(contender("sleeper", () -> TimeUnit.MILLISECONDS.sleep(20)), 1, 1)) {
      Batch warmup = runner.run(Duration.ZERO);
      long least = warmup.allocatedBytes();
      for (int i = 0; i < 20; i++) { // Other threads of this process may allocate meanwhile.
        least = Math.min(least, runner.run(Duration.ZERO).allocatedBytes());
      }

      assertThat(least).isLessThan(50_000);
    }
  }

  @Test
  void roundsThatAgreeAreMeasuredOnce() throws Exception {
    Timing timing = new Timing(4, Duration.ZERO, Duration.ZERO, 2);
    Contender steady = contender("steady", () -> TimeUnit.MILLISECONDS.sleep(20));

    List<Figures> figures = new Comparison(timing).run(List.of(steady), 1);

    assertThat(figures.get(0).pairs()).isEqualTo(4);
  }

  @Test
  void batchesThatCountAsOneRoundAreAdded() {
    Batch sum = Batch.sum(List.of(batch(1_000, 10, 200), batch(3_000, 20, 100)));

    assertThat(sum.pairs()).isEqualTo(30);
    assertThat(sum.pairsPerSecond()).isEqualTo(15);
    assertThat(sum.medianNanos()).isCloseTo(3_000, within(3.0));
    assertThat(sum.allocatedBytes()).isEqualTo(300);
    assertThat(sum.clientCpuNanos()).isEqualTo(10_000);
    assertThat(sum.serverCpuNanos()).isEqualTo(20_000);
  }

  @Test
  void whatItUsesIsPerPair() {
    List<Batch> limit = List.of(batch(1_000, 10, 200), batch(1_000, 10, 200));
    List<Batch> other = List.of(batch(2_000, 5, 300), batch(2_000, 5, 300));

    Figures figures = Figures.of(contender("other", () -> {}), 1, other, limit);

    assertThat(figures.pairs()).isEqualTo(10);
    assertThat(figures.clientCpuMicros()).isEqualTo(1);
    assertThat(figures.clientCpuRatio()).isEqualTo(2);
    assertThat(figures.serverCpuMicros()).isEqualTo(2);
    assertThat(figures.cpuRatio()).isEqualTo(2);
    assertThat(figures.allocatedBytes()).isEqualTo(60);
    assertThat(figures.allocatedBeyondLimit()).isEqualTo(40);
  }

  /** A batch of a second, of pairs that took the same time, that used 5 and 10 µs of the CPUs. */
  private static Batch batch(long nanos, int pairs, long allocated) {
    Histogram times = new Histogram(3);
    times.recordValueWithCount(nanos, pairs);
    return new Batch(times, 1_000_000_000L, 5_000, 10_000, allocated);
  }
}
