package io.holdfast.redis;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Says what Redis' errors mean for whoever wants a lock. */
final class RedisErrors {

  private static final String PROTOCOL = "HOLDFASTPROTOCOL ";

  /** The server refuses before a script has changed anything, and may not refuse for ever. */
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

  private RedisErrors() {}

  /**
   * Returns whether the connection is of no use any more: broken, or to a server that is not the
   * one to ask now.
   */
  static boolean isOfNoUse(RuntimeException e) {
    return !(e instanceof JedisDataException)
        || e instanceof JedisRedirectionException
        || says(e, "READONLY")
        || says(e, "CLUSTERDOWN");
  }

  /**
   * Returns the exception that says what happened.
   *
   * @param sent what the call may have changed if there was no answer
   */
  static RuntimeException failure(String server, RuntimeException e, Effect sent) {
    String message = String.valueOf(e.getMessage());
    if (message.contains(PROTOCOL)) {
      return anotherProtocol(server, message);
    }
    Optional<String> untrusted = TlsErrors.remedy(e);
    if (untrusted.isPresent()) {
      return new BackendUnusableException("%s: %s".formatted(server, untrusted.get()), e);
    }
    if (e instanceof JedisAccessControlException && says(e, "NOPERM")) {
      return new BackendUnusableException(
          "The user lacks a permission at %s (%s). See what its ACL must allow in docs/backends/redis.md."
              .formatted(server, message),
          e);
    }
    if (e instanceof JedisAccessControlException || message.contains("AUTH")) {
      return new BackendUnusableException(
          "%s does not let us in (%s). Look at user and password.".formatted(server, message), e);
    }
    if (message.contains("WRONGTYPE")) {
      return new BackendUnusableException(
          "A key under the prefix at %s is not ours: it has another type (%s). Remove it, or take another prefix."
              .formatted(server, message),
          e);
    }
    if (message.contains("DB index is out of range")) {
      return new BackendUnusableException(
          "The database does not exist at %s (%s).".formatted(server, message), e);
    }
    if (e instanceof JedisRedirectionException) {
      return new BackendFailure(
          Effect.NONE, "%s keeps the locks elsewhere now (%s).".formatted(server, message), e);
    }
    if (message.contains("access a non local key")) {
      return new BackendFailure(
          Effect.UNKNOWN,
          "The cluster of %s is moving the locks to another node, and none can be used until it has: %s"
              .formatted(server, message),
          e);
    }
    if (says(e, "OOM")) {
      return new BackendFailure(
          Effect.NONE,
          "%s is full: it has reached its maxmemory and takes nothing new, neither locks nor waiters. What is held stays held, and can be given back. Raise maxmemory, or make room. (%s)"
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
            sent, "%s cannot be reached, or has broken off: %s".formatted(server, message), e);
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
          .requireReadable(server);
    } catch (NumberFormatException e) {
      return new BackendUnusableException(
          "The protocol version on record at %s is not a number.".formatted(server), e);
    } catch (BackendUnusableException e) {
      return e;
    }
    throw new IllegalStateException("Refused for no reason: " + message);
  }

  /** Also where an older server puts words of its own before what went wrong in a script. */
  private static boolean says(RuntimeException e, String word) {
    String message = String.valueOf(e.getMessage());
    return message.startsWith(word)
        || message.contains(": " + word)
        || message.contains("-" + word);
  }
}
