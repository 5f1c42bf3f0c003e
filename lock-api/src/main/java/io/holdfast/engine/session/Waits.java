package io.holdfast.engine.session;

import io.holdfast.LockName;
import io.holdfast.record.RequestId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The queued requests of one session: in the order in which they want to be looked at, by their
 * lock, and in passes over all of them. A change of one request costs the same however many wait.
 */
final class Waits {

  /** One request. It is in {@link #byTime} while it has a due time. */
  private static final class Entry implements Comparable<Entry> {
    final SessionRequest request;

    /** Tells apart those that are due at the same time. */
    final long order;

    boolean isDue;
    long dueAtNanos;

    /** The last pass that has come to it, or during which it began to wait. */
    long pass;

    Entry(SessionRequest request, long order, long pass) {
      this.request = request;
      this.order = order;
      this.pass = pass;
    }

    @Override
    public int compareTo(Entry other) {
      // By their difference, as nanoTime() may overflow.
      int byTime = Long.signum(dueAtNanos - other.dueAtNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final TreeSet<Entry> byTime = new TreeSet<>();

  /** Those that the present pass has not come to are before those that it has. */
  private final Map<RequestId, Entry> byId = new LinkedHashMap<>();

  /** Immutable lists, as a session has seldom more than one request for one lock. */
  private final Map<LockName, List<SessionRequest>> byLock = new HashMap<>();

  private long orders;
  private long pass;

  /** To be called when a request has begun to wait, and whenever its due time has changed since. */
  void put(SessionRequest request, OptionalLong dueAt) {
    Entry entry = byId.get(request.key().request());
    if (entry == null) {
      entry = new Entry(request, ++orders, pass);
      byId.put(request.key().request(), entry);
      byLock.merge(request.key().name(), List.of(request), Waits::and);
    } else {
      dequeue(entry);
    }
    if (dueAt.isPresent()) {
      entry.isDue = true;
      entry.dueAtNanos = dueAt.getAsLong();
      byTime.add(entry);
    }
  }

  private static List<SessionRequest> and(List<SessionRequest> some, List<SessionRequest> more) {
    List<SessionRequest> all = new ArrayList<>(some);
    all.addAll(more);
    return List.copyOf(all);
  }

  /** To be called when a request waits no more. */
  void remove(SessionRequest request) {
    Entry entry = byId.remove(request.key().request());
    if (entry == null) {
      return;
    }
    dequeue(entry);
    byLock.computeIfPresent(request.key().name(), (name, waiting) -> without(request, waiting));
  }

  private static @Nullable List<SessionRequest> without(
      SessionRequest request, List<SessionRequest> waiting) {
    List<SessionRequest> others = waiting.stream().filter(other -> other != request).toList();
    return others.isEmpty() ? null : others;
  }

  private void dequeue(Entry entry) {
    if (entry.isDue) {
      byTime.remove(entry);
      entry.isDue = false;
    }
  }

  /** When the next wants to be looked at, if any does. */
  OptionalLong firstDueAtNanos() {
    return byTime.isEmpty() ? OptionalLong.empty() : OptionalLong.of(byTime.first().dueAtNanos);
  }

  /** Returns those that want to be looked at until then, the earliest first, up to a limit. */
  List<SessionRequest> dueUntil(long nanos, int limit) {
    List<SessionRequest> due = new ArrayList<>();
    for (Entry next : byTime) {
      if (due.size() == limit || next.dueAtNanos - nanos > 0) {
        break;
      }
      due.add(next.request);
    }
    return due;
  }

  /** Returns those that wait for a lock. */
  List<SessionRequest> of(LockName name) {
    return byLock.getOrDefault(name, List.of());
  }

  boolean isEmpty() {
    return byId.isEmpty();
  }

  /** From now on {@link #nextOfPass} comes to all that wait at this moment once more. */
  void beginPass() {
    pass++;
  }

  /** Returns the next that the present pass has not come to, up to a limit. */
  List<SessionRequest> nextOfPass(int limit) {
    List<Entry> next = new ArrayList<>();
    Iterator<Entry> entries = byId.values().iterator();
    while (next.size() < limit && entries.hasNext()) {
      Entry entry = entries.next();
      if (entry.pass == pass) {
        break;
      }
      entries.remove();
      next.add(entry);
    }
    for (Entry entry : next) {
      entry.pass = pass;
      byId.put(entry.request.key().request(), entry);
    }
    return next.stream().map(entry -> entry.request).toList();
  }
}
