package io.holdfast.engine.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.HoldfastException;
import io.holdfast.record.LockRecord;
import io.holdfast.watch.WatchListener;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a listener has not been told yet: of each lock the latest state, however slow the listener
 * is. It is told on threads that the engine needs for nothing else, one thing at a time.
 */
final class Telling {

  /** Stands for the store among the names of locks. */
  private static final Object STORE = new Object();

  private final Core core;
  private final WatchListener listener;
  private final String what;
  private final Map<Object, Runnable> untold = new LinkedHashMap<>();
  private boolean isTelling;
  private boolean isClosed;

  /** Whether the listener was told last that the store is away. */
  private boolean isToldAway;

  /**
   * Tells a listener.
   *
   * @param what is watched, for the log
   */
  Telling(Core core, WatchListener listener, String what) {
    this.core = core;
    this.listener = listener;
    this.what = what;
  }

  @GuardedBy("turn.lock")
  void changed(LockRecord lock, Turn turn) {
    put(lock.name(), () -> listener.changed(lock), turn);
  }

  /** One that was told of a failure, and not of its end, need not be told of the next failure. */
  @GuardedBy("turn.lock")
  void failed(HoldfastException problem, Turn turn) {
    if (isToldAway) {
      untold.remove(STORE);
    } else {
      put(STORE, () -> listener.failed(problem), turn);
    }
  }

  /** One that was not told of the failure need not be told of its end. */
  @GuardedBy("turn.lock")
  void recovered(Turn turn) {
    if (isToldAway) {
      put(STORE, listener::recovered, turn);
    } else {
      untold.remove(STORE);
    }
  }

  @GuardedBy("turn.lock")
  void close(Turn turn) {
    isClosed = true;
    untold.clear();
  }

  @GuardedBy("turn.lock")
  private void put(Object about, Runnable call, Turn turn) {
    if (isClosed) {
      return;
    }
    untold.remove(about); // What is told last is told in its turn.
    untold.put(about, call);
    if (!isTelling) {
      isTelling = true;
      turn.tellOfWatch(this, this::tellOne);
    }
  }

  private void tellOne() {
    Runnable call = take();
    try {
      call.run();
    } catch (Throwable e) { // Languages that do not check exceptions throw any.
      core.log.error(
          "{}: the listener of the watch on {} failed; the watch goes on",
          core.backend.describe(),
          what,
          e);
    }
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      isTelling = !untold.isEmpty();
      if (isTelling) {
        turn.tellOfWatch(this, this::tellOne);
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  /** Takes what comes next; that is nothing if the watch was closed meanwhile. */
  private Runnable take() {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      Iterator<Map.Entry<Object, Runnable>> entries = untold.entrySet().iterator();
      if (!entries.hasNext()) {
        return () -> {};
      }
      Map.Entry<Object, Runnable> next = entries.next();
      entries.remove();
      if (next.getKey() == STORE) {
        isToldAway = !isToldAway;
      }
      return next.getValue();
    } finally {
      turn.lock.unlock();
    }
  }
}
