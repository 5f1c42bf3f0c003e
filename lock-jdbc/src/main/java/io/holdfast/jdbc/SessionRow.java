package io.holdfast.jdbc;

import io.holdfast.Liveness;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What is known of a session, times in microseconds. */
record SessionRow(long ttl, long renewed, String incarnation) {

  /** Reads it from a row's columns; null if the session is not there. */
  static @Nullable SessionRow read(ResultSet row) throws SQLException {
    @Nullable String incarnation = row.getString("incarnation");
    return incarnation == null
        ? null
        : new SessionRow(row.getLong("ttl"), row.getLong("renewed"), incarnation);
  }

  /** The store's clock, and the incarnation that it runs in. */
  record Clock(long now, long maxClockStep, String incarnation) {

    static Clock read(ResultSet row, String incarnation) throws SQLException {
      return new Clock(row.getLong("now"), row.getLong("step"), incarnation);
    }

    /** Judges a session, and the request of it that was revoked at a time unless that is 0. */
    Liveness judge(@Nullable SessionRow session, long revoked) {
      if (session == null) {
        return Liveness.ENDED;
      }
      long lease = session.ttl() + maxClockStep;
      if (revoked != 0 && revoked + lease <= now) {
        return Liveness.REVOCATION_DUE;
      }
      boolean comparable = session.incarnation().equals(incarnation) && session.renewed() <= now;
      return comparable && session.renewed() + lease > now ? Liveness.LIVE : Liveness.LAPSED;
    }
  }
}
