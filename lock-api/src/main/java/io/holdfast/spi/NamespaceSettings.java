package io.holdfast.spi;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import java.time.Duration;

/**
 * The settings of a namespace, written once by its first client and never changed.
 *
 * @param protocol the version of the records' layout
 * @param partitions how many partitions sessions are divided into
 * @param maxTtl the greatest TTL of a session, and therefore the length of the restart guard
 * @param maxClockStep how far the store's clock may step forward within one TTL; the store adds it
 *     to every lease
 */
public record NamespaceSettings(
    int protocol, int partitions, Duration maxTtl, Duration maxClockStep) {

  /** The protocol of this version of the library where an adapter has no other. */
  public static final int PROTOCOL = 1;

  /** The default of the greatest TTL of a session. */
  public static final Duration MAX_TTL_DEFAULT = Duration.ofSeconds(60);

  /** The default of the tolerated clock step. */
  public static final Duration MAX_CLOCK_STEP_DEFAULT = Duration.ofSeconds(1);

  /**
   * Checks that this version of the library can read the namespace.
   *
   * @param where the store's name in messages
   * @throws BackendUnusableException if it was written by another version
   */
  public void requireReadable(String where) {
    requireReadable(where, PROTOCOL);
  }

  /**
   * Checks that this version of an adapter whose layout has a version of its own can read the
   * namespace.
   *
   * @param where the store's name in messages
   * @param readable the protocol that the adapter reads
   * @throws BackendUnusableException if it was written by another version
   */
  public void requireReadable(String where, int readable) {
    if (protocol != readable) {
      throw new BackendUnusableException(
          "The locks at %s are of protocol version %s; this library reads version %s. Use the version of the library that wrote them, or another namespace%s."
              .formatted(
                  where,
                  protocol,
                  readable,
                  protocol < readable
                      ? "; or stop all clients of the older version, and remove what they have stored with 'holdfast retire'"
                      : ""));
    }
  }

  /**
   * Checks that a namespace is of an older version, as one must be that is to be {@linkplain
   * LockProvider#retire retired}.
   *
   * @param protocol the version that wrote it
   * @param readable the version that the adapter reads
   * @param where the store's name in messages
   * @throws BadRequestException if it is of the version that the adapter reads
   * @throws BackendUnusableException if it is of a newer version, or of one that there never was
   */
  public static void requireOld(int protocol, int readable, String where) {
    if (protocol == readable) {
      throw new BadRequestException(
          "The locks at %s are of protocol version %s, the one that this library reads: there is nothing to retire."
              .formatted(where, protocol));
    }
    if (protocol < 1 || protocol > readable) {
      throw new BackendUnusableException(
          "The locks at %s are of protocol version %s, and only versions before %s can be retired. Use the version of the library that wrote them."
              .formatted(where, protocol, readable));
    }
  }

  /**
   * Checks a session's TTL.
   *
   * @throws BadRequestException if it is above {@code maxTtl}
   */
  public void requireTtl(Duration ttl) {
    if (ttl.compareTo(maxTtl) > 0) {
      throw new BadRequestException(
          "A TTL of %s is above the namespace's maxTtl of %s.".formatted(ttl, maxTtl));
    }
  }
}
