package io.holdfast.spi;

/**
 * What a client tells a backend when it connects.
 *
 * @param namespace the settings that this client was given explicitly
 * @param restartGuard whether a store that may have lost grants makes everybody wait
 */
public record BackendOptions(NamespaceWish namespace, RestartGuard restartGuard) {

  /** Nothing given: every setting is the namespace's own. */
  public static final BackendOptions DEFAULTS =
      new BackendOptions(NamespaceWish.NONE, RestartGuard.ON);

  /** Whether grants wait for the leases of earlier holders after a restart that may lose grants. */
  public enum RestartGuard {
    /** They wait: safe, and the default. */
    ON,
    /** They do not wait: two holders may meet after such a restart. */
    OFF
  }
}
