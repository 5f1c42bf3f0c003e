package io.holdfast.tck.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Soak;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Many clients join, are served, give up and die at the same time, and a judge knows only what they
 * are told. The effects of a store's steps on each other in between show here, if anywhere: an
 * entry that is lost, a waiter that no client wakes, a holder beside another.
 */
@Topic(
    value = "STR",
    level = Level.CORE,
    clause = "LockBackend.grab, look, release, overtake and end, of many at the same time")
public interface StressRules extends SpiRules {

  @Test
  @Rule("HF-STR-01")
  default void manyWhoWantOneLockAreServedInTheirOrder() throws Exception {
    requireSound(List.of("a"), 0, Staying.NOTHING);
  }

  /** Two clients for each name: a queue is empty one moment and not the next. */
  @Test
  @Rule("HF-STR-02")
  default void nobodyIsLostWhereAQueueIsEmptyNowAndThen() throws Exception {
    requireSound(List.of("a", "b", "c", "d"), 0, Staying.NOTHING);
  }

  @Test
  @Rule("HF-STR-03")
  default void onlyThoseWhoShareHoldTogether() throws Exception {
    fixture().requireSharedMode();
    requireSound(List.of("a", "b"), 0.7, Staying.NOTHING);
  }

  @Test
  @Rule("HF-STR-04")
  default void whatStaysIsGivenToNobodyMeanwhile() throws Exception {
    fixture().requireStays(Stays.AT_LEAST);
    boolean canShare = fixture().capabilities().modes().contains(LockMode.SHARED);
    requireSound(List.of("a", "b", "c", "d"), canShare ? 0.6 : 0, Staying.LEAST_TIMES);
  }

  private void requireSound(List<String> names, double shared, Staying staying) throws Exception {
    fixture().requireOrder(Order.FIFO);
    int grants = Soak.REQUESTED ? 5_000 : 80;
    StressRun run =
        new StressRun(8, names, shared, staying, grants, Duration.ofSeconds(60), RunNumbers.EITHER);
    // By turns: what one client's connection remembers is not what the other's does.
    Iterator<LockBackend> backends =
        Stream.generate(List.of(unseen(fixture().connect()), unseen(fixture().connect()))::stream)
            .flatMap(each -> each)
            .iterator();

    GrantJudge judge = run.on(backends::next, List.of());

    assertThat(judge.found()).isEmpty();
    assertThat(judge.grants()).isGreaterThanOrEqualTo(grants);
  }

  /** A record may be read in several steps, so the judge is shown none. */
  private static LockBackend unseen(LockBackend backend) {
    return new InterceptedBackend(backend) {
      @Override
      public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
        return Optional.empty();
      }
    };
  }
}
