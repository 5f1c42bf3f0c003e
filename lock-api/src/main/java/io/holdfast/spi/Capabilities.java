package io.holdfast.spi;

import io.holdfast.LockMode;
import io.holdfast.spi.BackendOptions.RestartGuard;
import java.util.Set;

/**
 * What a store can do. The engine adapts to it, and the test kit tests exactly what is claimed.
 *
 * @param wakeup whether waiters are told
 * @param order how waiters are served
 * @param expiry who ends a session whose time has passed
 * @param modes the modes in which locks can be held
 * @param tokensSurvive what the order of tokens survives
 * @param losses whether the store may lose grants that it has answered
 */
public record Capabilities(
    Wakeup wakeup,
    Order order,
    Expiry expiry,
    Set<LockMode> modes,
    Set<Event> tokensSurvive,
    Losses losses) {

  /** Copies the sets. */
  public Capabilities {
    modes = Set.copyOf(modes);
    tokensSurvive = Set.copyOf(tokensSurvive);
  }

  /** Whether waiters are told when it is their turn. */
  public enum Wakeup {
    /**
     * The store sends hints, unless {@link LockBackend#listen} finds that they are not to be had.
     */
    PUSH,
    /** The next in line has to ask. */
    POLL
  }

  /** How waiters are served. */
  public enum Order {
    /** In the order in which they joined. */
    FIFO,
    /** In any order. */
    ANY
  }

  /** Who ends a session whose time has passed. */
  public enum Expiry {
    /**
     * Anybody, with {@link LockBackend#end}. Until somebody does, a late renewal saves it; its
     * requests stay in their queues until they are removed.
     */
    BY_OTHERS,
    /** The store by itself. Its requests leave their queues in the same step, however it ends. */
    BY_STORE
  }

  /** Whether a store may lose grants that it has answered, while their holders believe in them. */
  public enum Losses {
    /**
     * Never: what was answered outlives its restart and a fail-over, or what ends it ends every
     * holder too.
     */
    NEVER,
    /**
     * It may, by a restart or a fail-over, and then grants nothing to anybody while leases of
     * before may run: the restart guard.
     */
    GUARDED,
    /** It may, and then lets a second holder in. */
    UNGUARDED;

    /** Returns what a store that may lose grants says, with its restart guard on or off. */
    public static Losses of(RestartGuard guard) {
      return guard == RestartGuard.ON ? GUARDED : UNGUARDED;
    }
  }

  /** What may happen to a store. */
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
