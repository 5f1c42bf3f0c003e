package io.holdfast.jdbc.verbs;

import io.holdfast.jdbc.database.SessionRow;
import io.holdfast.jdbc.database.SessionRow.Clock;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.database.StoredStay;
import io.holdfast.record.Liveness;
import io.holdfast.record.Stay;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges requests by what was read of sessions and of the store's clock.
 *
 * @param clock the clock at that moment
 * @param incarnation the incarnation that it is the clock of
 * @param sessions those that are there of the ones that were asked for
 */
record Judge(Clock clock, String incarnation, Map<String, SessionRow> sessions) {

  private static final long TICK_MICROS = 1_000;

  /** Knows no session, where no request is judged. */
  static final Judge NOBODY = new Judge(new Clock(0, 0), "", Map.of());

  /** Reads one that knows the session of a row, if the row has one. */
  static Judge read(ResultSet row, String id) throws SQLException {
    @Nullable SessionRow session = SessionRow.read(row);
    return new Judge(
        Clock.read(row),
        row.getString("present"),
        session == null ? Map.of() : Map.of(id, session));
  }

  /** Returns a stay that begins now. */
  StoredStay begin(Stay.Reason reason, long duration) {
    return new StoredStay(reason, clock.now(), duration, incarnation);
  }

  /**
   * Returns a stay that begins now and lasts for so long at least. A clock that counts whole
   * milliseconds may be up to one behind when it begins.
   */
  StoredStay beginAtLeast(Stay.Reason reason, long duration) {
    return begin(reason, duration + TICK_MICROS);
  }

  boolean isDoubtful(StoredStay stay) {
    return stay.isDoubtful(clock.now(), incarnation);
  }

  /** Returns how long a stay lasts, in microseconds. */
  long left(StoredStay stay) {
    return stay.left(clock.now(), incarnation);
  }

  /** Returns the session of a request that is there. */
  Optional<SessionRow> session(Entry entry) {
    return Optional.ofNullable(sessions.get(entry.session()));
  }

  Liveness liveness(Entry entry) {
    Optional<StoredStay> stay = entry.stay();
    boolean isDue = stay.filter(present -> left(present) == 0).isPresent();
    if (stay.isPresent() && !stay.get().isRevocation()) {
      return isDue ? Liveness.ENDED : Liveness.STAYING;
    }
    Liveness liveness = clock.judge(session(entry).orElse(null), 0);
    return isDue && liveness != Liveness.ENDED ? Liveness.REVOCATION_DUE : liveness;
  }

  /** Whether a holder may be removed by others. */
  boolean mayBeRemoved(Entry entry) {
    Liveness liveness = liveness(entry);
    return (liveness == Liveness.ENDED && !beginsDelay(entry))
        || liveness == Liveness.REVOCATION_DUE;
  }

  /** Whether a holder is dead and has a lock-delay that has not begun. */
  boolean beginsDelay(Entry entry) {
    return entry.lockDelay() > 0 && liveness(entry) == Liveness.ENDED;
  }

  /** Returns how long until a request is judged otherwise; empty if it does not count. */
  Optional<Duration> dueIn(Entry entry) {
    Optional<Duration> left = entry.stay().map(stay -> StoreTime.duration(left(stay)));
    return switch (liveness(entry)) {
      case STAYING -> left;
      case LIVE ->
          Stream.concat(left.stream(), clock.dueIn(session(entry).orElse(null), 0).stream())
              .min(Comparator.naturalOrder());
      case LAPSED, ENDED, REVOCATION_DUE -> Optional.empty();
    };
  }

  /** Returns how long until the first of them is judged otherwise; empty if one does not count. */
  Optional<Duration> firstDueIn(List<Entry> entries) {
    List<Optional<Duration>> due = entries.stream().map(this::dueIn).toList();
    return due.stream().allMatch(Optional::isPresent)
        ? due.stream().flatMap(Optional::stream).min(Comparator.naturalOrder())
        : Optional.empty();
  }
}
