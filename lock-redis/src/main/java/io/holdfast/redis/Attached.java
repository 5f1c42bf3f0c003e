package io.holdfast.redis;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The server at the other end of a new connection.
 *
 * @param version of the server
 * @param role {@code master} if it can be written to
 * @param policy what it removes when its memory is full
 * @param endedSessions whether sessions of before are over since this connection was made
 */
record Attached(String version, String role, String policy, boolean endedSessions) {

  /** The first whose scripts may read the clock and write afterwards. */
  private static final int MAJOR_MIN = 5;

  /** Reads the answer of {@link Script#ATTACH}. */
  static Attached of(@Nullable Object answer) {
    Reply reply = Reply.of(answer);
    return new Attached(reply.text(0), reply.text(1), reply.text(2), reply.text(3).equals("1"));
  }

  /**
   * Checks that locks can be kept there.
   *
   * @param passing whether a replica may only be one for a moment, until it is promoted
   */
  void requireUsable(String server, boolean passing) {
    String major = version.replaceAll("[^0-9].*", "");
    if (major.isEmpty() || Integer.parseInt(major) < MAJOR_MIN) {
      throw new BackendUnusableException(
          "%s is Redis %s; version %d or newer is needed. Upgrade it, or use another server."
              .formatted(server, version, MAJOR_MIN));
    }
    if (!role.equals("master")) {
      String message =
          "%s is a replica, which cannot be written to. Name the master, or the Sentinels that know it."
              .formatted(server);
      throw passing
          ? new BackendFailure(Effect.NONE, message, null)
          : new BackendUnusableException(message);
    }
  }

  /** Checks that the server keeps locks also when its memory is full. */
  void requireNoEviction(String server) {
    if (mayEvict(policy)) {
      throw evicts(server, policy);
    }
  }

  static boolean mayEvict(String policy) {
    return !policy.toLowerCase(Locale.ROOT).equals("noeviction");
  }

  static BackendUnusableException evicts(String server, String policy) {
    return new BackendUnusableException(
        "%s may remove locks when its memory is full: its maxmemory-policy is %s. Set it to noeviction, or use another server."
            .formatted(server, policy));
  }

  /** Tells operators what this connection has begun. */
  void tell(Logger log, String server) {
    if (endedSessions) {
      log.warn(
          "{} was started again or a replica was promoted, and it may have lost grants with that: its restart guard has begun, until then nobody is granted a lock",
          server);
    }
  }
}
