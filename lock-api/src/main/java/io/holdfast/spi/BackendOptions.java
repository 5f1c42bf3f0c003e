package io.holdfast.spi;

import java.util.OptionalInt;

/**
 * The options that a client gives a backend when it connects.
 *
 * @param namespace the settings of the namespace that this client was given explicitly
 * @param restartGuard whether a store that may have lost grants makes all clients wait
 * @param maxWaiters how many requests may wait for one lock; if that many wait, this client does
 *     not join the queue. Empty for the store's own limit. Clients may have different limits
 */
public record BackendOptions(
    NamespaceWish namespace, RestartGuard restartGuard, OptionalInt maxWaiters) {

  /** No setting given: every setting is taken from the namespace. */
  public static final BackendOptions DEFAULTS =
      new BackendOptions(NamespaceWish.NONE, RestartGuard.ON);

  /** Makes options with the store's own limit of waiters. */
  public BackendOptions(NamespaceWish namespace, RestartGuard restartGuard) {
    this(namespace, restartGuard, OptionalInt.empty());
  }

  /** Returns the same options with the restart guard on or off. */
  public BackendOptions with(RestartGuard other) {
    return new BackendOptions(namespace, other, maxWaiters);
  }

  /** Returns the same options with another limit of waiters. */
  public BackendOptions withMaxWaiters(int limit) {
    return new BackendOptions(namespace, restartGuard, OptionalInt.of(limit));
  }

  /** Whether grants wait for the leases of earlier holders after a restart that may lose grants. */
  public enum RestartGuard {
    /** Grants wait. Safe, and the default. */
    ON,
    /** Grants do not wait. After such a restart, a lock may have two holders at the same time. */
    OFF
  }
}
