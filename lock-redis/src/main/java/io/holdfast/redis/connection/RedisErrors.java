package io.holdfast.redis.connection;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Translates errors of Redis and jedis into exceptions of the SPI. */
final class RedisErrors {

  private static final String PROTOCOL = "HOLDFASTPROTOCOL ";

  /** The record of the lock that a script is about is not ours: nothing was changed of it. */
  private static final String FOREIGN = "HOLDFASTFOREIGN ";

  private static final String FULL = "OOM";

  /** Errors of a server that refuses for now, before a script has changed anything. */
  private static final List<String> REFUSALS =
      List.of(
          "LOADING",
          "BUSY",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "READONLY",
          "NOREPLICAS",
          "MISCONF",
          "ERR max number of clients");

  /**
   * The errors of a server that has become a replica: it takes no writes, copies the data of its
   * new master, or cannot reach it.
   */
  private static final List<String> MASTERS_ELSEWHERE =
      List.of("READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN");

  /** How Redis 6 says within a script that the user lacks a permission. */
  private static final List<String> LACKS_WITHIN_A_SCRIPT =
      List.of(
          "The user executing the script can't run this command",
          "The user executing the script can't access at least one of the keys");

  private RedisErrors() {}

  /**
   * Returns whether the connection cannot be used any more: it is broken, or its server is not the
   * one that has the locks now.
   */
  static boolean isConnectionUnusable(RuntimeException e) {
    return !(e instanceof JedisDataException)
        || e instanceof JedisRedirectionException
        || MASTERS_ELSEWHERE.stream().anyMatch(word -> says(e, word));
  }

  /**
   * Returns the exception for an error.
   *
   * @param sent the possible effect of the call if there was no answer
   */
  static RuntimeException failure(String server, RuntimeException e, Effect sent) {
    RuntimeException failure = translated(server, e, sent);
    // However the connection broke, the server may have done a command that it did not answer. It
    // takes nothing back that a script does before it fails.
    boolean mayBeDone =
        !(e instanceof JedisDataException) || (isWithinScript(e) && !isBeforeFirstWrite(e));
    return sent == Effect.UNKNOWN && mayBeDone ? BackendFailure.halfway(failure) : failure;
  }

  private static boolean isWithinScript(RuntimeException e) {
    return String.valueOf(e.getMessage()).contains("user_script");
  }

  /**
   * Returns whether an error only ever comes before a script has changed anything. Redis does not
   * refuse a later write for these reasons.
   */
  private static boolean isBeforeFirstWrite(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains(PROTOCOL)
        || message.contains(FOREIGN)
        || says(e, FULL)
        || REFUSALS.stream().anyMatch(refusal -> says(e, refusal));
  }

  private static boolean lacksPermission(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    return (e instanceof JedisAccessControlException && says(e, "NOPERM"))
        || (e instanceof JedisDataException
            && LACKS_WITHIN_A_SCRIPT.stream().anyMatch(message::contains));
  }

  /**
   * Returns the exception for an error by which the server says that the user lacks a permission.
   */
  static Optional<BackendUnusableException> lackOfPermission(String server, RuntimeException e) {
    return lacksPermission(e)
        ? Optional.of(
            new BackendUnusableException(
                "The user lacks a permission at %s (%s). See what its ACL must allow in docs/backends/redis.md."
                    .formatted(server, e.getMessage()),
                e))
        : Optional.empty();
  }

  private static RuntimeException translated(String server, RuntimeException e, Effect sent) {
    String message = String.valueOf(e.getMessage());
    if (message.contains(PROTOCOL)) {
      return anotherProtocol(server, message);
    }
    Optional<String> untrusted = TlsErrors.remedy(e);
    if (untrusted.isPresent()) {
      return new BackendUnusableException("%s: %s".formatted(server, untrusted.get()), e);
    }
    Optional<BackendUnusableException> lack = lackOfPermission(server, e);
    if (lack.isPresent()) {
      return lack.get();
    }
    if (e instanceof JedisAccessControlException || message.contains("AUTH")) {
      return new BackendUnusableException(
          "%s refused the login (%s). Check user and password.".formatted(server, message), e);
    }
    if (says(e, "DENIED")) {
      return new BackendUnusableException(
          "%s takes no connections from other machines (%s). Set a password at the server and give it in the URI, or see what the server says."
              .formatted(server, message),
          e);
    }
    if (message.contains("WRONGTYPE")) {
      return new BackendUnusableException(
          "A key under the prefix at %s is not ours: it has another type (%s). Remove it, or take another prefix."
              .formatted(server, message),
          e);
    }
    if (message.contains("DB index is out of range")) {
      return new BackendUnusableException(
          "The database does not exist at %s (%s). Use another number in the URI."
              .formatted(server, message),
          e);
    }
    if (e instanceof JedisRedirectionException) {
      return new BackendFailure(
          Effect.NONE,
          "%s has moved the locks to another node (%s).".formatted(server, message),
          e);
    }
    if (message.contains("access a non local key")) {
      return new BackendFailure(
          Effect.UNKNOWN,
          "The cluster of %s is moving the locks to another node. They cannot be used until that is done: %s"
              .formatted(server, message),
          e);
    }
    if (says(e, FULL)) {
      return new BackendFailure(
          Effect.NONE,
          "%s is full: it has reached its maxmemory and takes neither new locks nor new waiters. Held locks stay held and can be released. Raise maxmemory, or make room. (%s)"
              .formatted(server, message),
          e);
    }
    if (REFUSALS.stream().anyMatch(refusal -> says(e, refusal))) {
      return new BackendFailure(
          Effect.NONE, "%s refuses for now: %s".formatted(server, message), e);
    }
    return e instanceof JedisDataException
        ? new BackendFailure(
            Effect.UNKNOWN, "A script failed at %s: %s".formatted(server, message), e)
        : new BackendFailure(
            sent,
            "%s cannot be reached, or the connection broke: %s".formatted(server, message),
            e);
  }

  private static RuntimeException anotherProtocol(String server, String message) {
    String version = message.substring(message.indexOf(PROTOCOL) + PROTOCOL.length());
    NamespaceSettings defaults = NamespaceWish.NONE.orDefaults();
    try {
      new NamespaceSettings(
              Integer.parseInt(version.replaceAll("[^0-9].*", "")),
              defaults.partitions(),
              defaults.maxTtl(),
              defaults.maxClockStep())
          .requireReadable(server, Script.PROTOCOL);
    } catch (NumberFormatException e) {
      return new BackendUnusableException(
          "The protocol version on record at %s is not a number.".formatted(server), e);
    } catch (BackendUnusableException e) {
      return e;
    }
    throw new IllegalStateException("Protocol version refused for an unknown reason: " + message);
  }

  /** Older servers put words of their own before the error of a script. */
  static boolean says(RuntimeException e, String word) {
    String message = String.valueOf(e.getMessage());
    return message.startsWith(word)
        || message.contains(": " + word)
        || message.contains("-" + word);
  }
}
