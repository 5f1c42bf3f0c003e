package io.holdfast.spi;

import io.holdfast.LockMode;
import io.holdfast.spi.BackendOptions.RestartGuard;
import java.util.Set;

/**
 * The capabilities of a store. The engine adapts to them, and the test kit tests exactly the
 * claimed ones.
 *
 * @param wakeup whether the store tells waiters when it is their turn
 * @param order the order in which waiters are served
 * @param expiry which side ends a session whose time has passed
 * @param modes the modes in which locks can be held
 * @param tokensSurvive the events over which tokens still rise
 * @param losses whether the store may lose grants that it has confirmed
 * @param stays the stays that the store can keep
 */
public record Capabilities(
    Wakeup wakeup,
    Order order,
    Expiry expiry,
    Set<LockMode> modes,
    Set<Event> tokensSurvive,
    Losses losses,
    Set<Stays> stays) {

  /** Copies the sets. */
  public Capabilities {
    modes = Set.copyOf(modes);
    tokensSurvive = Set.copyOf(tokensSurvive);
    stays = Set.copyOf(stays);
  }

  /** The capabilities of a store that keeps no lock beyond its holder. */
  public Capabilities(
      Wakeup wakeup,
      Order order,
      Expiry expiry,
      Set<LockMode> modes,
      Set<Event> tokensSurvive,
      Losses losses) {
    this(wakeup, order, expiry, modes, tokensSurvive, losses, Set.of());
  }

  /** A stay that a store can keep. */
  public enum Stays {
    /** After a session that ended uncleanly: {@link Request#lockDelay}. */
    LOCK_DELAY,
    /** After a release: {@link LockBackend#releaseAfter}. */
    AT_LEAST,
    /** Before an announced removal: {@link LockBackend#revokeIn}. */
    REVOKE_LATER
  }

  /** Whether the store tells waiters when it is their turn. */
  public enum Wakeup {
    /**
     * The store sends hints, unless {@link LockBackend#listen} finds that hints are not available.
     */
    PUSH,
    /** The next waiter has to poll. */
    POLL
  }

  /** The order in which waiters are served. */
  public enum Order {
    /** In the order in which they joined. */
    FIFO,
    /** In any order. */
    ANY
  }

  /** Which side ends a session whose time has passed. */
  public enum Expiry {
    /**
     * Any client may end it, with {@link LockBackend#end}. Until a client does, a late renewal
     * saves the session. Its requests stay in their queues until they are removed.
     */
    BY_OTHERS,
    /**
     * The store ends it by itself. However a session ends, its requests leave their queues in the
     * same step, but for those with a lock-delay. The store may also end by itself what has stayed
     * for its time.
     */
    BY_STORE
  }

  /**
   * Whether a store may lose grants that it has confirmed, while their holders still rely on them.
   */
  public enum Losses {
    /**
     * It never does: a confirmed grant outlives a restart and a fail-over of the store, or the
     * event that ends the store also ends every holder.
     */
    NEVER,
    /**
     * It may, in a restart or a fail-over. It then grants no lock while earlier leases may still
     * run: the restart guard.
     */
    GUARDED,
    /** It may, and then can grant a lock to a second holder. */
    UNGUARDED;

    /** Returns the value for a store that may lose grants, with its restart guard on or off. */
    public static Losses of(RestartGuard guard) {
      return guard == RestartGuard.ON ? GUARDED : UNGUARDED;
    }
  }

  /** An event that can happen to a store. */
  public enum Event {
    /** A free lock's record is deleted. */
    DELETION,
    /** The store is restarted with its data. */
    RESTART,
    /** A replica takes over. */
    FAIL_OVER,
    /** The last writes are lost. */
    PARTIAL_LOSS,
    /** All data is lost. */
    TOTAL_LOSS
  }
}
