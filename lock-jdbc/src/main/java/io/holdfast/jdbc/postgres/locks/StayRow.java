package io.holdfast.jdbc.postgres.locks;

import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.record.Stay;
import io.holdfast.record.Stay.Reason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/**
 * A stay, which keeps a holder for a time, or lets it be removed from a time on, in microseconds of
 * the store's clock.
 *
 * @param from when it began
 * @param lasts how long it lasts
 * @param comparable whether its beginning can be compared with the store's clock
 */
record StayRow(Reason reason, long from, long lasts, boolean comparable, long now) {

  /** Reads the columns of a row that has one. */
  static StayRow read(ResultSet row, String stay) throws SQLException {
    return new StayRow(
        StayStatements.reason(stay),
        row.getLong("stay_from"),
        row.getLong("stay_for"),
        row.getBoolean("stay_comparable"),
        row.getLong("now"));
  }

  /** Whether it began in the future or by another clock, and so begins again when it is seen. */
  boolean isDoubtful() {
    return !comparable || from > now;
  }

  /** Returns how long it still lasts; 0 if it is over. */
  long left() {
    return isDoubtful() ? lasts : Math.max(0, from + lasts - now);
  }

  boolean isOver() {
    return left() == 0;
  }

  boolean isRevocation() {
    return reason == Reason.REVOKED;
  }

  /** Returns when it began, for people. */
  Instant began() {
    return StoreTime.instant(from);
  }

  Stay toStay() {
    return new Stay(reason, StoreTime.duration(left()));
  }
}
