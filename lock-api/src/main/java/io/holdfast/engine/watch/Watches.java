package io.holdfast.engine.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockName;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.HintListener;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The watches of one client. A few of them look at the same time and the others wait for their
 * turn, so that the calls of locks find a thread when the store does not answer watches.
 */
public final class Watches {

  private static final int LOOKS_AT_ONCE = 4;

  private static final Duration INTERVAL_MIN = Duration.ofMillis(10);
  private static final Duration INTERVAL_MAX = Duration.ofDays(1);

  private final Core core;
  private final UnaryOperator<LockRecord> publicNames;

  // Guarded by the turn.
  private final Set<OpenWatch> open = new LinkedHashSet<>();
  private final Deque<OpenWatch> due = new ArrayDeque<>();
  private int looking;
  private boolean isClosed;

  /**
   * Makes the watches of a client.
   *
   * @param publicNames gives records the names that the application knows
   */
  public Watches(Core core, UnaryOperator<LockRecord> publicNames) {
    this.core = core;
    this.publicNames = publicNames;
  }

  /** Watches one lock. */
  public Watch lock(LockName name, Duration interval, WatchListener listener) {
    return begin(
        "lock \"" + name + "\"",
        interval,
        listener,
        hints -> new OneLock(core.backend.watch(name, hints)));
  }

  /** Watches the held locks whose names begin with a prefix, which has the client's in it. */
  public Watch prefix(String prefix, Duration interval, WatchListener listener) {
    return begin(
        "the locks \"" + prefix + "…\"",
        interval,
        listener,
        hints -> new LocksOfPrefix(core.backend, prefix, core.settings.namePrefix()));
  }

  private Watch begin(
      String what,
      Duration interval,
      WatchListener listener,
      Function<HintListener, Sight> sights) {
    if (interval.compareTo(INTERVAL_MIN) < 0 || interval.compareTo(INTERVAL_MAX) > 0) {
      throw new BadRequestException(
          "The interval of the watch on %s must be from %s to %s: %s was asked for."
              .formatted(what, INTERVAL_MIN, INTERVAL_MAX, interval));
    }
    OpenWatch watch = new OpenWatch(core, this, what, interval.toNanos(), listener);
    Sight sight = sights.apply(watch);
    boolean begins;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      begins = !isClosed;
      if (begins) {
        open.add(watch);
        watch.begin(sight, turn);
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    if (!begins) {
      sight.close();
      throw Failures.closed(core.backend.describe());
    }
    return watch;
  }

  LockRecord toPublic(LockRecord record) {
    return publicNames.apply(record);
  }

  @GuardedBy("turn.lock")
  void enqueue(OpenWatch watch, Turn turn) {
    due.add(watch);
    lookOn(turn);
  }

  @GuardedBy("turn.lock")
  void lookIsOver(Turn turn) {
    looking--;
    lookOn(turn);
  }

  @GuardedBy("turn.lock")
  private void lookOn(Turn turn) {
    while (looking < LOOKS_AT_ONCE && !due.isEmpty()) {
      looking++;
      due.remove().look(turn);
    }
  }

  @GuardedBy("turn.lock")
  void closed(OpenWatch watch, Turn turn) {
    open.remove(watch);
    due.remove(watch);
  }

  /** Ends all of them, and begins no other. */
  @GuardedBy("turn.lock")
  public void close(Turn turn) {
    isClosed = true;
    List.copyOf(open).forEach(watch -> watch.close(turn));
  }
}
