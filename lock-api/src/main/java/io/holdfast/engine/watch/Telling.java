package io.holdfast.engine.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockName;
import io.holdfast.engine.seam.SafeLog;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.HoldfastException;
import io.holdfast.record.LockRecord;
import io.holdfast.watch.WatchListener;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The news that a listener has not been told yet: of each lock the latest state, however slow the
 * listener is. It is told on threads that the engine needs for nothing else, one thing at a time.
 */
final class Telling {

  private final Core core;
  private final WatchListener listener;
  private final String what;

  /**
   * The news told next. A further change of a lock stands where the lock stood: a listener that is
   * slower than the changes comes to each lock in turn.
   */
  private final Map<LockName, Runnable> untold = new LinkedHashMap<>();

  /** The news told then: that the store is away, or is back. */
  private Optional<Runnable> ofStore = Optional.empty();

  /** The changes of locks since, told after that; empty if there is no such thing. */
  private final Map<LockName, Runnable> untoldSince = new LinkedHashMap<>();

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
    if (isClosed) {
      return;
    }
    Runnable call = () -> listener.changed(lock);
    if (ofStore.isEmpty()) {
      untold.put(lock.name(), call);
    } else {
      untold.remove(lock.name());
      untoldSince.put(lock.name(), call);
    }
    tellOn(turn);
  }

  /** One that was told of a failure, and not of its end, need not be told of the next failure. */
  @GuardedBy("turn.lock")
  void failed(HoldfastException problem, Turn turn) {
    if (isToldAway) {
      forgetStore(turn);
    } else {
      putStore(() -> listener.failed(problem), turn);
    }
  }

  /** One that was not told of the failure need not be told of its end. */
  @GuardedBy("turn.lock")
  void recovered(Turn turn) {
    if (isToldAway) {
      putStore(listener::recovered, turn);
    } else {
      forgetStore(turn);
    }
  }

  @GuardedBy("turn.lock")
  void close(Turn turn) {
    isClosed = true;
    untold.clear();
    untoldSince.clear();
    ofStore = Optional.empty();
  }

  /** It comes after all that has happened before. */
  @GuardedBy("turn.lock")
  private void putStore(Runnable call, Turn turn) {
    forgetStore(turn);
    if (!isClosed) {
      ofStore = Optional.of(call);
      tellOn(turn);
    }
  }

  @GuardedBy("turn.lock")
  void forgetStore(Turn turn) {
    ofStore = Optional.empty();
    untold.putAll(untoldSince);
    untoldSince.clear();
  }

  @GuardedBy("turn.lock")
  private void tellOn(Turn turn) {
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
      SafeLog.error(
          core.log,
          "%s: the listener of the watch on %s failed; the watch goes on"
              .formatted(core.backend.describe(), what),
          e);
    }
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      isTelling = false;
      if (!untold.isEmpty() || ofStore.isPresent()) {
        tellOn(turn);
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
      Iterator<Runnable> next = untold.values().iterator();
      if (next.hasNext()) {
        Runnable call = next.next();
        next.remove();
        return call;
      }
      Optional<Runnable> store = ofStore;
      if (store.isPresent()) {
        isToldAway = !isToldAway;
        forgetStore(turn); // The changes since are next.
      }
      return store.orElse(() -> {});
    } finally {
      turn.lock.unlock();
    }
  }
}
