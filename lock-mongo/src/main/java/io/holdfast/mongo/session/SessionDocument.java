package io.holdfast.mongo.session;

import io.holdfast.BackendUnusableException;
import io.holdfast.RequestId;
import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.clock.ClockReading.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bson.BsonArray;
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
    Duration ttl, Instant renewed, long renewals, String incarnation, List<RequestId> revoked) {

  /** Returns whether a document says that its session is over. */
  public static boolean isOver(BsonDocument document) {
    return document.containsKey("ended");
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
          document.getArray("revoked", new BsonArray()).stream()
              .map(request -> RequestId.parse(request.asString().getValue()))
              .toList());
    } catch (RuntimeException e) {
      throw new BackendUnusableException(
          "The document of session %s at %s is damaged (%s). Delete it: the session then loses its locks."
              .formatted(document.get("_id"), where, e.getMessage()),
          e);
    }
  }

  /** Returns the server's time at which {@link SessionCommands#judge} last read the session. */
  static Instant judgedAt(BsonDocument document) {
    return instant(document.getDateTime("judged"));
  }

  /** Tells whether the lease has passed. */
  public Verdict judge(ClockReading clock) {
    return clock.judge(renewed, incarnation, ttl);
  }

  private static Instant instant(BsonDateTime date) {
    return Instant.ofEpochMilli(date.getValue());
  }
}
