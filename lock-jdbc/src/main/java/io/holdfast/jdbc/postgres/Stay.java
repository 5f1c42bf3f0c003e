package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.database.StoreTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/**
 * What lets a holder be removed from a time on: the revocation of its grant. It lasts as long as a
 * lease of the holder's session.
 *
 * @param from when it began; 0 if there is none
 * @param comparable whether that can be compared with the store's clock
 */
record Stay(long from, boolean comparable, long now) {

  static Stay read(ResultSet row) throws SQLException {
    return new Stay(
        row.getString("stay").isEmpty() ? 0 : row.getLong("stay_from"),
        row.getBoolean("stay_comparable"),
        row.getLong("now"));
  }

  private boolean isThere() {
    return from != 0;
  }

  /** Returns when it began, for people. */
  Optional<Instant> began() {
    return isThere() ? Optional.of(StoreTime.instant(from)) : Optional.empty();
  }

  /** Whether it began in the future or by another clock, and so begins anew when it is seen. */
  boolean isDoubtful() {
    return isThere() && (!comparable || from > now);
  }

  /** Returns from when on it counts; 0 if there is none. */
  long countsFrom() {
    return isDoubtful() ? now : from;
  }
}
