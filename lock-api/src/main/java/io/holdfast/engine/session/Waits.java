package io.holdfast.engine.session;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * The queued requests of one session: in the order in which they want to be looked at, and by their
 * lock. What happens to one request costs the same however many wait.
 */
final class Waits {

  /**
   * When a request wants to be looked at.
   *
   * @param order tells apart those that are due at the same time
   */
  private record Due(long atNanos, long order, SessionRequest request) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      // By their difference, as nanoTime() may overflow.
      int byTime = Long.signum(atNanos - other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private record Entry(SessionRequest request, long order, OptionalLong dueAtNanos) {}

  private final TreeSet<Due> byTime = new TreeSet<>();
  private final Map<RequestId, Entry> byId = new LinkedHashMap<>();
  private final Map<LockName, Map<RequestId, SessionRequest>> byLock = new HashMap<>();
  private long orders;

  /** To be called when a request has begun to wait, and whenever its due time has changed since. */
  void put(SessionRequest request, OptionalLong dueAt) {
    RequestId id = request.key().request();
    Entry before = byId.get(id);
    long order = before == null ? ++orders : before.order();
    if (before == null) {
      byLock.computeIfAbsent(request.key().name(), name -> new LinkedHashMap<>()).put(id, request);
    } else {
      dequeue(before);
    }
    byId.put(id, new Entry(request, order, dueAt));
    dueAt.ifPresent(nanos -> byTime.add(new Due(nanos, order, request)));
  }

  /** To be called when a request waits no more. */
  void remove(SessionRequest request) {
    RequestId id = request.key().request();
    Entry entry = byId.remove(id);
    if (entry == null) {
      return;
    }
    dequeue(entry);
    byLock.computeIfPresent(
        request.key().name(),
        (name, waiting) -> {
          waiting.remove(id);
          return waiting.isEmpty() ? null : waiting;
        });
  }

  private void dequeue(Entry entry) {
    entry
        .dueAtNanos()
        .ifPresent(nanos -> byTime.remove(new Due(nanos, entry.order(), entry.request())));
  }

  /** When the next wants to be looked at, if any does. */
  OptionalLong firstDueAtNanos() {
    return byTime.isEmpty() ? OptionalLong.empty() : OptionalLong.of(byTime.first().atNanos());
  }

  /** Returns those that want to be looked at until then, the earliest first, up to a limit. */
  List<SessionRequest> dueUntil(long nanos, int limit) {
    List<SessionRequest> due = new ArrayList<>();
    for (Due next : byTime) {
      if (due.size() == limit || next.atNanos() - nanos > 0) {
        break;
      }
      due.add(next.request());
    }
    return due;
  }

  /** Returns a copy of those that wait for a lock. */
  List<SessionRequest> of(LockName name) {
    return List.copyOf(byLock.getOrDefault(name, Map.of()).values());
  }

  /** Returns a copy of all. */
  List<SessionRequest> all() {
    return byId.values().stream().map(Entry::request).toList();
  }
}
