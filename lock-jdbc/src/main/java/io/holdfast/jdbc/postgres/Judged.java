package io.holdfast.jdbc.postgres;

import io.holdfast.Liveness;
import io.holdfast.RequestId;
import io.holdfast.jdbc.database.SessionRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that holds or waits, as the store judges it.
 *
 * @param due how long until it is judged otherwise, if it counts
 */
record Judged(RequestId request, Stay stay, Liveness liveness, Optional<Duration> due) {

  /** Reads a row that has an entry. */
  static Judged read(ResultSet row) throws SQLException {
    Stay stay = Stay.read(row);
    SessionRow.Clock clock = SessionRow.Clock.read(row);
    @Nullable SessionRow session = SessionRow.read(row);
    return new Judged(
        RequestId.parse(row.getString("request")),
        stay,
        clock.judge(session, stay.countsFrom()),
        clock.dueIn(session, stay.countsFrom()));
  }

  /** Whether a row has an entry. */
  static boolean isThere(ResultSet row) throws SQLException {
    return row.getString("request") != null;
  }

  /** Returns when the first of them is judged otherwise; empty if one does not count already. */
  static Optional<Duration> firstDue(List<Judged> judged) {
    return judged.stream().allMatch(each -> each.due().isPresent())
        ? judged.stream().flatMap(each -> each.due().stream()).min(Comparator.naturalOrder())
        : Optional.empty();
  }

  boolean isLive() {
    return liveness == Liveness.LIVE;
  }
}
