package io.holdfast.mongo;

import io.holdfast.BackendUnusableException;
import io.holdfast.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A session as a command has told it.
 *
 * @param renewals how often it was renewed, which is what a compare-and-set goes by
 * @param incarnation which primary the last renewal was written by
 * @param revoked the requests of it that were revoked and not acknowledged
 */
record SessionDocument(
    Duration ttl, Instant renewed, long renewals, String incarnation, List<RequestId> revoked) {

  /** Whether a document says that its session is over. */
  static boolean isOver(BsonDocument document) {
    return document.containsKey("ended");
  }

  /**
   * Reads a session that is not over.
   *
   * @param where how the store is called in messages
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
          "The document of session %s at %s is damaged (%s). Delete it: whoever holds locks by it loses them."
              .formatted(document.get("_id"), where, e.getMessage()),
          e);
    }
  }

  /** Returns the server's time at which it was looked at closely. */
  static Instant judgedAt(BsonDocument document) {
    return instant(document.getDateTime("judged"));
  }

  private static Instant instant(BsonDateTime date) {
    return Instant.ofEpochMilli(date.getValue());
  }

  /**
   * The server's clock, and what one must know to compare with it what it wrote before.
   *
   * @param incarnation which primary's clock it is; empty if that is not certain
   * @param tolerance how much longer than its TTL a session lasts
   */
  record Clock(Instant now, Optional<String> incarnation, Duration tolerance) {

    /**
     * Times are cut off to milliseconds: the one before may be almost one more ago than it seems.
     */
    private static final Duration RESOLUTION = Duration.ofMillis(1);

    Verdict judge(SessionDocument session) {
      return judge(session.renewed, session.incarnation, session.ttl);
    }

    Verdict judge(LockDocument.Revoked mark, SessionDocument session) {
      return judge(mark.at(), mark.incarnation(), session.ttl);
    }

    private Verdict judge(Instant then, String whose, Duration ttl) {
      if (incarnation.filter(whose::equals).isEmpty() || then.isAfter(now)) {
        return Verdict.DOUBTFUL;
      }
      return remaining(then, ttl).isZero() ? Verdict.PASSED : Verdict.RUNNING;
    }

    /** Returns how much is left of a TTL that began then, not before it has certainly passed. */
    Duration remaining(Instant then, Duration ttl) {
      Duration left = Duration.between(now, then.plus(ttl).plus(tolerance).plus(RESOLUTION));
      return left.isNegative() ? Duration.ZERO : left;
    }
  }

  /** Whether a time has passed. */
  enum Verdict {
    /** Not yet. */
    RUNNING,
    /** It has. */
    PASSED,
    /** It began by a clock that is not the present one, or in the future. */
    DOUBTFUL
  }

  /** What is known of the sessions that were asked for: those alive, and the time at the server. */
  record Known(Map<String, SessionDocument> alive, Clock clock) {

    @Nullable SessionDocument of(RequestId request) {
      return alive.get(request.session().value());
    }
  }
}
