package io.holdfast.jdbc.database;

import io.holdfast.record.Liveness;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A session as its row tells it, times in microseconds.
 *
 * @param comparable whether the time of its renewal can be compared with the store's clock
 */
public record SessionRow(long ttl, long renewed, boolean comparable) {

  /** Reads it from a row's columns; null if the session is not there. */
  public static @Nullable SessionRow read(ResultSet row) throws SQLException {
    return read(row, "");
  }

  /** Reads it from columns whose names begin with a prefix. */
  public static @Nullable SessionRow read(ResultSet row, String prefix) throws SQLException {
    long ttl = row.getLong(prefix + "ttl");
    return row.wasNull()
        ? null
        : new SessionRow(
            ttl, row.getLong(prefix + "renewed"), row.getBoolean(prefix + "comparable"));
  }

  /** The store's clock. */
  public record Clock(long now, long maxClockStep) {

    public static Clock read(ResultSet row) throws SQLException {
      return new Clock(row.getLong("now"), row.getLong("step"));
    }

    /** Judges a session, and the request of it that was revoked at a time unless that is 0. */
    public Liveness judge(@Nullable SessionRow session, long revoked) {
      if (session == null) {
        return Liveness.ENDED;
      }
      long lease = session.ttl() + maxClockStep;
      if (revoked != 0 && revoked + lease <= now) {
        return Liveness.REVOCATION_DUE;
      }
      boolean comparable = session.comparable() && session.renewed() <= now;
      return comparable && session.renewed() + lease > now ? Liveness.LIVE : Liveness.LAPSED;
    }

    /**
     * Returns how long until a session, or the request of it that was revoked at a time unless that
     * is 0, is judged otherwise if it is not renewed; empty if it is not alive.
     */
    public Optional<Duration> dueIn(@Nullable SessionRow session, long revoked) {
      if (session == null || judge(session, revoked) != Liveness.LIVE) {
        return Optional.empty();
      }
      long first = revoked == 0 ? session.renewed() : Math.min(revoked, session.renewed());
      return Optional.of(StoreTime.duration(first + session.ttl() + maxClockStep - now));
    }
  }
}
