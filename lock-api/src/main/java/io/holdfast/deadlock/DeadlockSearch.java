package io.holdfast.deadlock;

import io.holdfast.LockName;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Looks for deadlocks in the records of locks. Applications call {@code findDeadlocks}. */
public final class DeadlockSearch {

  private DeadlockSearch() {}

  /**
   * Returns the deadlocks that the records make suspect.
   *
   * <p>Records are read one after the other, so a circle may be made of waits that were never there
   * together. So where there seems to be one, the records are read once more, and only requests
   * count that were there both times: all of them were there when the first reading had ended.
   *
   * @param reading reads the records from the store, again each time
   */
  public static List<Deadlock> in(Supplier<Stream<LockRecord>> reading) {
    List<LockRecord> first = waitedFor(reading);
    if (new WaitGraph(first).circles().isEmpty()) {
      return List.of();
    }
    Map<LockName, Set<RequestId>> seen = new HashMap<>();
    first.forEach(record -> seen.put(record.name(), requests(record)));
    return new WaitGraph(
            waitedFor(reading).stream()
                .map(record -> only(seen.getOrDefault(record.name(), Set.of()), record))
                .toList())
        .circles();
  }

  /** Leaves out the locks without waiters: they are the most, and part of no circle. */
  private static List<LockRecord> waitedFor(Supplier<Stream<LockRecord>> reading) {
    try (Stream<LockRecord> records = reading.get()) {
      return records.filter(record -> !record.waiters().isEmpty()).toList();
    }
  }

  private static Set<RequestId> requests(LockRecord record) {
    Set<RequestId> requests = new HashSet<>();
    record.holders().stream().map(Holder::request).forEach(requests::add);
    record.waiters().stream().map(Waiter::request).forEach(requests::add);
    return requests;
  }

  private static LockRecord only(Set<RequestId> requests, LockRecord record) {
    return new LockRecord(
        record.name(),
        record.number(),
        record.holders().stream().filter(each -> requests.contains(each.request())).toList(),
        record.waiters().stream().filter(each -> requests.contains(each.request())).toList());
  }
}
