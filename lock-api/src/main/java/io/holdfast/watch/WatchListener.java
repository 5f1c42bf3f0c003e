package io.holdfast.watch;

import io.holdfast.error.HoldfastException;
import io.holdfast.record.LockRecord;

/**
 * Is told what becomes of the locks that it watches. All methods are called on threads of the
 * client that do nothing else, for one watch one at a time and in order. A slow listener delays no
 * other watch, unless eight of a client are slow, and nothing else; it is told the latest state
 * when it is ready for it, and the states in between are left out. If a method throws, the failure
 * is logged and the watch goes on.
 */
@FunctionalInterface
public interface WatchListener {

  /**
   * A lock is in another state than it was: it has another holder, or none; a request waits for it,
   * or does not any more; a holder was revoked, or its session has lapsed, or was renewed after
   * all. The first call tells the state at the beginning of the watch.
   *
   * <p>Is never called with an older state after a newer one, unless the store has lost the newer
   * one and goes on from the older: then that is told a minute later. The state may be out of date
   * when it arrives: do not decide by it whether a lock may be used.
   *
   * @param lock the latest state, with the first hundred of those who wait. If it is free, it may
   *     be without its last number, because stores need not keep that
   */
  void changed(LockRecord lock);

  /**
   * The store did not answer. The watch goes on asking; until {@link #recovered} nothing is known
   * of what happens to the locks. Called once for each such time.
   */
  default void failed(HoldfastException problem) {}

  /** The store answers again. Changes in the meantime are told after this. */
  default void recovered() {}
}
