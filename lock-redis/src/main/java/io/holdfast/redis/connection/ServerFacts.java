package io.holdfast.redis.connection;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions.RestartGuard;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Facts about the server of a new connection.
 *
 * @param version of the server
 * @param role {@code master} if it accepts writes
 * @param policy its maxmemory-policy
 * @param endedSessions whether the check of this connection has ended all earlier sessions
 * @param showsIdentity whether it shows which run of the server it is
 */
public record ServerFacts(
    String version, String role, String policy, boolean endedSessions, boolean showsIdentity) {

  /** The first version whose scripts may write after they read the clock. */
  private static final int MAJOR_MIN = 5;

  /** Reads the answer of {@link Script#ATTACH}. */
  static ServerFacts of(@Nullable Object answer) {
    Reply reply = Reply.of(answer);
    return new ServerFacts(
        reply.text(0),
        reply.text(1),
        reply.text(2),
        reply.text(3).equals("1"),
        reply.text(4).equals("1"));
  }

  /**
   * Checks that the server can keep locks.
   *
   * @param promotable whether a replica may be promoted soon, so that a retry makes sense
   * @param guard whether a restart that may have lost grants has to be noticed
   */
  void requireUsable(String server, boolean promotable, RestartGuard guard) {
    String major = version.replaceAll("[^0-9].*", "");
    if (major.isEmpty() || Integer.parseInt(major) < MAJOR_MIN) {
      throw new BackendUnusableException(
          "%s is Redis %s; version %s or newer is needed. Upgrade it, or use another server."
              .formatted(server, version, MAJOR_MIN));
    }
    if (!role.equals("master")) {
      String message =
          "%s is a replica, which does not accept writes. Name the master, or its Sentinels."
              .formatted(server);
      throw promotable
          ? new BackendFailure(Effect.NONE, message, null)
          : new BackendUnusableException(message);
    }
    if (!showsIdentity && guard == RestartGuard.ON) {
      throw new BackendUnusableException(
          "%s hides which run of the server it is: INFO shows no run_id, or no master_replid. A restart that lost grants would not be noticed. Let INFO show both, or accept two holders after a restart: restartGuard=off in the URI, or withoutRestartGuard() at the builder."
              .formatted(server));
    }
  }

  /** Checks that the server keeps locks even if its memory is full. */
  void requireNoEviction(String server) {
    if (mayEvict(policy)) {
      throw evicts(server, policy);
    }
  }

  public static boolean mayEvict(String policy) {
    return !policy.toLowerCase(Locale.ROOT).equals("noeviction");
  }

  public static BackendUnusableException evicts(String server, String policy) {
    return new BackendUnusableException(
        "%s may remove locks when its memory is full: its maxmemory-policy is %s. Set it to noeviction, or use another server."
            .formatted(server, policy));
  }

  /** Warns if this connection has begun the restart guard. */
  void logRestartGuard(Logger log, String server) {
    if (endedSessions) {
      log.warn(
          "{} was restarted or promoted, and may have lost grants: its restart guard has begun, and no lock is granted until the guard ends",
          server);
    }
  }
}
