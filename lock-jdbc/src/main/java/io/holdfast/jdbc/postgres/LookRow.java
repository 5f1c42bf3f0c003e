package io.holdfast.jdbc.postgres;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.jdbc.database.SessionRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one request stands, as {@link LookStatements#LOOK} returns it.
 *
 * @param place its place among those that were asked for, from 0 on
 * @param isContended whether anybody waits
 * @param distance how many positions were given ahead of it that are not over, that of the holder
 *     included
 * @param first the first waiter, if that is ahead of it
 * @param next the waiter directly ahead of it; empty if that is the holder
 */
record LookRow(
    int place,
    LockName name,
    long number,
    long since,
    boolean holds,
    boolean isContended,
    int distance,
    Stay stay,
    Judged holder,
    Optional<Judged> first,
    Optional<Judged> next) {

  /**
   * A request that is ahead of others.
   *
   * @param due how long until it is judged otherwise, if it counts
   */
  record Judged(RequestId request, Liveness liveness, Optional<Duration> due) {

    static Judged of(
        String request, @Nullable SessionRow session, SessionRow.Clock clock, long revoked) {
      return new Judged(
          RequestId.parse(request), clock.judge(session, revoked), clock.dueIn(session, revoked));
    }

    boolean isLive() {
      return liveness == Liveness.LIVE;
    }
  }

  static LookRow read(ResultSet row) throws SQLException {
    Stay stay = Stay.read(row);
    SessionRow.Clock clock = SessionRow.Clock.read(row);
    return new LookRow(
        row.getInt("place") - 1,
        HolderRow.name(row),
        row.getLong("number"),
        row.getLong("since"),
        row.getBoolean("holds"),
        row.getBoolean("waited"),
        row.getInt("ahead"),
        stay,
        Judged.of(row.getString("holder"), SessionRow.read(row), clock, stay.countsFrom()),
        waiter(row, "first", clock),
        waiter(row, "next", clock));
  }

  private static Optional<Judged> waiter(ResultSet row, String which, SessionRow.Clock clock)
      throws SQLException {
    @Nullable String request = row.getString(which);
    return request == null
        ? Optional.empty()
        : Optional.of(Judged.of(request, SessionRow.read(row, which + "_"), clock, 0));
  }

  /** Returns how many requests are ahead of it: exact for the first two that wait. */
  int ahead() {
    if (next.isEmpty()) {
      return 1;
    }
    return next.equals(first) ? 2 : distance;
  }

  /** Whether there may be more dead waiters ahead of it than those that it names. */
  boolean isFrontUnknown() {
    return first.isPresent() && !first.get().isLive() && !first.equals(next);
  }
}
