package io.holdfast.tck.process;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The remains of some locks in the store when all clients that used them have gone. */
final class Residue {

  private Residue() {}

  /**
   * Returns the locks that are still held.
   *
   * <p>Clients that were closed leave nothing, or at most requests of sessions that are over, which
   * count for nothing, and locks that stay taken for their least time. Processes that were killed
   * leave their requests until a newcomer removes them; so newcomers come until nothing is left.
   */
  static List<String> of(
      LockClient observer, List<String> locks, boolean somebodyWasKilled, Duration maxWait) {
    Set<String> residue = new TreeSet<>();
    if (!somebodyWasKilled) {
      held(observer, locks)
          .filter(Residue::hasHolderThatCounts)
          .forEach(record -> residue.add(record.name().value()));
    }
    long deadline = System.nanoTime() + maxWait.toNanos();
    List<LockRecord> left = held(observer, locks).toList();
    while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
      for (LockRecord record : left) {
        Duration wait = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        observer
            .lock(record.name().value())
            .tryAcquire(AcquireOptions.within(wait))
            .ifPresent(Grant::release);
      }
      left = held(observer, locks).toList();
    }
    left.forEach(record -> residue.add(record.name().value()));
    return new ArrayList<>(residue);
  }

  private static boolean hasHolderThatCounts(LockRecord record) {
    return record.holders().stream()
        .map(Holder::liveness)
        .anyMatch(liveness -> liveness != Liveness.ENDED && liveness != Liveness.STAYING);
  }

  private static Stream<LockRecord> held(LockClient observer, List<String> locks) {
    return locks.stream().flatMap(observer::list).filter(record -> record.holder().isPresent());
  }
}
