package io.holdfast.mongo.queue;

import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.clock.ClockReading.Verdict;
import io.holdfast.record.Stay;
import io.holdfast.record.Stay.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.bson.BsonDocument;

/**
 * The stay of a holder: the time for which it keeps the lock without a session, or after which
 * others may remove it. Its end is not stored, because an update cannot add to the server's time.
 *
 * @param from when it began
 * @param incarnation the incarnation of the primary whose clock told that time
 * @param lasts how long it lasts
 * @param begun how often it was begun; a compare-and-set compares this count
 */
record StoredStay(Kind kind, Instant from, String incarnation, Duration lasts, long begun) {

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** The purpose of a stay. */
  enum Kind {
    /** Its holder was revoked; its claims beyond its session are over. */
    REVOKED(Reason.REVOKED),
    /**
     * Its holder was revoked with notice. If its session ends uncleanly, it has its delay still.
     */
    NOTICE(Reason.REVOKED),
    /** Its holder has a lock-delay, and its session is over. */
    LOCK_DELAY(Reason.LOCK_DELAY),
    /** Its holder has given the lock back before its least time was up. */
    AT_LEAST(Reason.AT_LEAST);

    private final Reason shown;

    Kind(Reason shown) {
      this.shown = shown;
    }

    boolean isRevocation() {
      return shown == Reason.REVOKED;
    }

    /** Returns the stored form. */
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static StoredStay read(BsonDocument stay) {
    return new StoredStay(
        Kind.valueOf(stay.getString("why").getValue().toUpperCase(Locale.ROOT)),
        Instant.ofEpochMilli(stay.getDateTime("from").getValue()),
        stay.getString("inc").getValue(),
        Duration.ofMillis(stay.getInt64("for").getValue()),
        stay.getInt64("begun").getValue());
  }

  /** The stored form of a duration, which is not shorter. */
  static long millis(Duration time) {
    return time.plusNanos(NANOS_PER_MILLI - 1).toMillis();
  }

  boolean isRevocation() {
    return kind.isRevocation();
  }

  Verdict judge(ClockReading clock) {
    return clock.judge(from, incarnation, lasts);
  }

  /** Returns how much is left of it; all of it where that is doubtful, since it begins again. */
  Duration left(ClockReading clock) {
    return judge(clock) == Verdict.DOUBTFUL
        ? clock.remaining(clock.now(), lasts)
        : clock.remaining(from, lasts);
  }

  Stay shown(ClockReading clock) {
    return new Stay(kind.shown, left(clock));
  }
}
