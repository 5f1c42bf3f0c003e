package io.holdfast.tck.time;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * A clock that stands still until the thread that uses it waits for something. Then the events that
 * were scheduled happen on that very thread, in the order of their times. Not thread-safe.
 */
public final class VirtualTime {

  private record Event(long atNanos, long order, Runnable task) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long scheduled;

  /** Returns the time since the beginning, in nanoseconds. */
  public long nanos() {
    return nowNanos;
  }

  /** Schedules a task; returns what takes it back. */
  public Runnable after(long delayNanos, Runnable task) {
    Event event = new Event(nowNanos + Math.max(0, delayNanos), scheduled++, task);
    events.add(event);
    return () -> events.remove(event);
  }

  /** Lets so much time pass. */
  public void advance(Duration time) {
    boolean never = runUntil(() -> false, time);
    assert !never;
  }

  /**
   * Lets time pass until something is true, but no longer than a limit.
   *
   * @return whether it became true
   */
  public boolean runUntil(BooleanSupplier condition, Duration limit) {
    long end = nowNanos + limit.toNanos();
    while (!condition.getAsBoolean()) {
      Event next = events.peek();
      if (next == null || next.atNanos > end) {
        nowNanos = Math.max(nowNanos, end);
        return false;
      }
      events.remove(next);
      nowNanos = Math.max(nowNanos, next.atNanos);
      next.task.run();
    }
    return true;
  }
}
