package io.holdfast.spi;

import java.util.OptionalInt;

/**
 * What a client tells a backend when it connects.
 *
 * @param namespace the settings that this client was given explicitly
 * @param restartGuard whether a store that may have lost grants makes everybody wait
 * @param maxWaiters how many requests may wait for one lock before this client joins them no more;
 *     empty for the store's own limit. Clients need not agree on it
 */
public record BackendOptions(
    NamespaceWish namespace, RestartGuard restartGuard, OptionalInt maxWaiters) {

  /** Nothing given: every setting is the namespace's own. */
  public static final BackendOptions DEFAULTS =
      new BackendOptions(NamespaceWish.NONE, RestartGuard.ON);

  /** Leaves the length of queues to the store. */
  public BackendOptions(NamespaceWish namespace, RestartGuard restartGuard) {
    this(namespace, restartGuard, OptionalInt.empty());
  }

  /** Returns the same options with the restart guard on or off. */
  public BackendOptions with(RestartGuard other) {
    return new BackendOptions(namespace, other, maxWaiters);
  }

  /** Returns the same options with another limit of waiters. */
  public BackendOptions withMaxWaiters(int most) {
    return new BackendOptions(namespace, restartGuard, OptionalInt.of(most));
  }

  /** Whether grants wait for the leases of earlier holders after a restart that may lose grants. */
  public enum RestartGuard {
    /** They wait: safe, and the default. */
    ON,
    /** They do not wait: two holders may meet after such a restart. */
    OFF
  }
}
