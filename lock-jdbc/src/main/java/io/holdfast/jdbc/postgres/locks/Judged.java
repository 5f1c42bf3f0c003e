package io.holdfast.jdbc.postgres.locks;

import io.holdfast.jdbc.database.SessionRow;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request that holds or waits, as the store judges it.
 *
 * @param hasDelay whether it has a lock-delay that has not begun
 * @param due how long until it is judged otherwise, if it counts
 */
record Judged(
    RequestId request,
    Optional<StayRow> stay,
    boolean hasDelay,
    Liveness liveness,
    Optional<Duration> due) {

  /** Reads a row that has an entry. */
  static Judged read(ResultSet row) throws SQLException {
    String request = row.getString("request");
    String kind = row.getString("stay");
    Optional<StayRow> stay =
        kind.isEmpty() ? Optional.empty() : Optional.of(StayRow.read(row, kind));
    SessionRow.Clock clock = SessionRow.Clock.read(row);
    @Nullable SessionRow session = SessionRow.read(row);
    Liveness liveness = liveness(clock.judge(session, 0), stay);
    return new Judged(
        RequestId.parse(request.startsWith(Fragments.TOMBSTONE) ? request.substring(1) : request),
        stay,
        row.getLong("lock_delay") > 0,
        liveness,
        due(liveness, clock.dueIn(session, 0), stay));
  }

  /** A revocation says when a holder may go, each other stay says until when it stays. */
  private static Liveness liveness(Liveness session, Optional<StayRow> stay) {
    if (stay.isEmpty()) {
      return session;
    }
    boolean isOver = stay.get().isOver();
    if (!stay.get().isRevocation()) {
      return isOver ? Liveness.ENDED : Liveness.STAYING;
    }
    return isOver && session != Liveness.ENDED ? Liveness.REVOCATION_DUE : session;
  }

  private static Optional<Duration> due(
      Liveness liveness, Optional<Duration> lapses, Optional<StayRow> stay) {
    Optional<Duration> left = stay.map(present -> StoreTime.duration(present.left()));
    return switch (liveness) {
      case LIVE -> Stream.concat(lapses.stream(), left.stream()).min(Comparator.naturalOrder());
      case STAYING -> left;
      case LAPSED, ENDED, REVOCATION_DUE -> Optional.empty();
    };
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

  /** Whether the stay of one of them has to begin again. */
  static boolean isDoubtful(List<Judged> judged) {
    return judged.stream().anyMatch(each -> each.stay().filter(StayRow::isDoubtful).isPresent());
  }

  /** Whether it is no obstacle. */
  boolean counts() {
    return liveness.counts();
  }

  /** Whether a request that overtakes it has its lock-delay begin instead. */
  boolean beginsDelay() {
    return hasDelay && liveness == Liveness.ENDED;
  }
}
