package io.holdfast.view;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Several locks that are held together. {@link LockClient#lockAll(Collection)} returns it and
 * {@link #close()} releases it. It is in force while each of its grants is. If one of them is lost
 * the others stay held until they are released, but what needs all of the locks must stop.
 *
 * <p>Thread-safe. It belongs to a thread, and may be passed to another, as its {@linkplain Grant
 * grants} do.
 */
public interface MultiGrant extends AutoCloseable {

  /** Returns the grants, in the order in which the locks were taken: that of their names' bytes. */
  List<Grant> grants();

  /**
   * Returns the grant of one of the locks.
   *
   * @param name as it was asked for, without the client's name prefix
   * @throws BadRequestException if the lock is not one of these
   */
  Grant grant(String name);

  /**
   * Returns the fencing token of one of the locks. There is none for all of them: each resource
   * compares the tokens of its own lock.
   *
   * @param name as it was asked for, without the client's name prefix
   * @throws BadRequestException if the lock is not one of these
   */
  default FencingToken token(String name) {
    return grant(name).token();
  }

  /** Returns whether all of the locks are held, as {@link Grant#isHeld} does for one. */
  boolean isHeld();

  /**
   * Returns normally if all of the locks are held. If the lease of one is in jeopardy, waits as
   * {@link Grant#check} does.
   *
   * @throws LockLostException if one of the grants is lost or was released
   * @throws LockInterruptedException if interrupted while waiting in jeopardy
   */
  void check();

  /** Returns how long all of them last, as {@link Grant#remaining} does for one. */
  Duration remaining();

  /**
   * Moves the end of all of them, as {@link Grant#extend} does for one.
   *
   * @throws LockLostException if one of the grants is lost or was released
   * @throws BadRequestException if they were acquired without {@link AcquireOptions#atMost}, or the
   *     duration is not positive
   */
  void extend(Duration atMost);

  /**
   * Registers a listener that is called once, on a thread of the client, when the first of the
   * grants is lost, with the lock's name and the reason. A release is not a loss. If one is lost
   * already, the listener is called at once.
   */
  void onLost(BiConsumer<LockName, LossReason> listener);

  /**
   * Declares that all of them are about to be passed to another thread ({@link Grant#handOver}).
   */
  void handOver();

  /**
   * Releases all of the locks, in the reverse of the order in which they were taken, and returns
   * the outcome of each. Does not throw if the store cannot be reached ({@link Grant#release}). If
   * one release throws all the same, the others are made before that is thrown on.
   */
  Map<LockName, ReleaseOutcome> release();

  /**
   * Releases all of the locks like {@link #release()}. Does nothing for those that are not held.
   */
  @Override
  default void close() {
    release();
  }
}
