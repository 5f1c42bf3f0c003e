package io.holdfast.mongo.session;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.clock.ClockReading.Verdict;
import io.holdfast.record.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/**
 * A session, as read from its document.
 *
 * @param renewals how often it was renewed; a compare-and-set compares this count
 * @param incarnation the incarnation of the primary that wrote the last renewal
 * @param revoked its requests that were revoked and not yet acknowledged
 */
public record SessionDocument(
    Duration ttl,
    Instant renewed,
    long renewals,
    String incarnation,
    Map<RequestId, Eviction> revoked) {

  /**
   * How long the session may keep a request that was revoked.
   *
   * @param from when it was revoked
   * @param incarnation the incarnation of the primary whose clock told that time
   * @param notice for how long the session may keep it from then on
   */
  public record Eviction(Instant from, String incarnation, Duration notice) {

    /**
     * Returns for how much longer the session may keep it, by the clock of the server that answers.
     * Nothing where that is doubtful: others may have judged by another clock that it is time.
     */
    Duration left(ClockReading clock) {
      Duration left = Duration.between(clock.now(), from.plus(notice));
      boolean isOver =
          left.isNegative() || clock.judge(from, incarnation, notice) == Verdict.DOUBTFUL;
      if (isOver) {
        return Duration.ZERO;
      }
      return left.compareTo(notice) > 0 ? notice : left;
    }

    private static Eviction read(BsonDocument eviction) {
      return new Eviction(
          instant(eviction.getDateTime("from")),
          eviction.getString("inc").getValue(),
          Duration.ofMillis(eviction.getInt64("for").getValue()));
    }
  }

  /** Returns whether a document says that its session is over. */
  public static boolean isOver(BsonDocument document) {
    return document.containsKey("ended");
  }

  /** Returns whether a document's last renewal was written in an incarnation. */
  public static boolean isOf(BsonDocument document, String incarnation) {
    return document.getString("inc").getValue().equals(incarnation);
  }

  /**
   * Reads a session that is not over.
   *
   * @param where the name of the store in messages
   * @throws BackendUnusableException if it is damaged
   */
  static SessionDocument read(BsonDocument document, String where) {
    try {
      return new SessionDocument(
          Duration.ofMillis(document.getInt64("ttl").getValue()),
          instant(document.getDateTime("renewed")),
          document.getInt64("renewals").getValue(),
          document.getString("inc").getValue(),
          evictions(document.getDocument("revoked", new BsonDocument())));
    } catch (RuntimeException e) {
      throw new BackendUnusableException(
          "The document of session %s at %s is damaged (%s). Delete it: the session then loses its locks."
              .formatted(document.get("_id"), where, e.getMessage()),
          e);
    }
  }

  private static Map<RequestId, Eviction> evictions(BsonDocument stored) {
    Map<RequestId, Eviction> evictions = new LinkedHashMap<>();
    stored.forEach(
        (request, eviction) ->
            evictions.put(RequestId.parse(request), Eviction.read(eviction.asDocument())));
    return evictions;
  }

  /** Returns whether the session may keep a revoked request for a while. */
  boolean hasNotice() {
    return revoked.values().stream().anyMatch(eviction -> !eviction.notice().isZero());
  }

  /** Returns the server's time at which {@link SessionCommands#judge} last read the session. */
  static Instant judgedAt(BsonDocument document) {
    return instant(document.getDateTime("judged"));
  }

  /** Tells whether the lease has passed. */
  public Verdict judge(ClockReading clock) {
    return clock.judge(renewed, incarnation, clock.lease(ttl));
  }

  /** Returns how much is left of the lease. */
  public Duration left(ClockReading clock) {
    return clock.remaining(renewed, clock.lease(ttl));
  }

  private static Instant instant(BsonDateTime date) {
    return Instant.ofEpochMilli(date.getValue());
  }
}
