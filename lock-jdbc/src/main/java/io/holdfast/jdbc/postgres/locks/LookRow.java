package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.jdbc.database.StoreTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How one request stands, as {@link LookStatements#LOOK} returns it in one row or several.
 *
 * @param place its place among those that were asked for, from 0 on
 * @param isContended whether any request waits
 * @param distance how many positions were given ahead of it to those who wait
 * @param holders those of the holders who were judged
 * @param waiting the first waiter ahead of it, and the one directly ahead
 */
record LookRow(
    int place,
    LockName name,
    long number,
    LockMode mode,
    Instant since,
    boolean holds,
    boolean isContended,
    int distance,
    List<Judged> holders,
    List<Judged> waiting) {

  /** Reads a row, which has one entry at most. */
  static LookRow read(ResultSet row) throws SQLException {
    List<Judged> judged = Judged.isThere(row) ? List.of(Judged.read(row)) : List.of();
    boolean waits = row.getBoolean("waits");
    return new LookRow(
        row.getInt("place") - 1,
        EntryRow.name(row),
        row.getLong("number"),
        Entry.mode(row.getString("mode")),
        StoreTime.instant(row.getLong("since")),
        row.getBoolean("holds"),
        row.getBoolean("waited"),
        row.getInt("distance"),
        waits ? List.of() : judged,
        waits ? judged : List.of());
  }

  /** Adds the entries of a further row of the same request. */
  LookRow and(LookRow further) {
    return new LookRow(
        place,
        name,
        number,
        mode,
        since,
        holds,
        isContended,
        distance,
        joined(holders, further.holders),
        joined(waiting, further.waiting));
  }

  private static List<Judged> joined(List<Judged> first, List<Judged> second) {
    List<Judged> joined = new ArrayList<>(first);
    joined.addAll(second);
    return joined;
  }

  /**
   * Returns how many requests are ahead of it, where all holders count as one: exact where at most
   * two wait.
   */
  int ahead() {
    return 1 + (waiting.size() < 2 ? waiting.size() : distance);
  }

  /** Returns the waiter directly ahead of it; empty if the holders are. */
  Optional<Judged> next() {
    return waiting.isEmpty() ? Optional.empty() : Optional.of(waiting.get(waiting.size() - 1));
  }

  /** Whether there may be more dead waiters ahead of it than those that it names. */
  boolean isFrontUnknown() {
    return waiting.size() > 1 && !waiting.get(0).counts();
  }
}
