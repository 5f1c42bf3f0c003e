package io.holdfast.jdbc.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.Waiter;
import io.holdfast.jdbc.database.SessionRow;
import io.holdfast.jdbc.database.StoreTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lock and its holder, as {@link RecordStatements} return them.
 *
 * @param due how long until the holder is judged otherwise, if it counts
 * @param isStayDoubtful whether its stay has to begin anew
 */
record HolderRow(
    LockName name,
    long number,
    Optional<Holder> holder,
    long since,
    Optional<Duration> due,
    boolean isStayDoubtful) {

  /** Reads a row whose lock is there. */
  static HolderRow read(ResultSet row) throws SQLException {
    LockName name = name(row);
    long number = row.getLong("number");
    long since = row.getLong("since");
    String request = row.getString("holder");
    if (request.isEmpty()) {
      return new HolderRow(name, number, Optional.empty(), since, Optional.empty(), false);
    }
    Stay stay = Stay.read(row);
    SessionRow.Clock clock = SessionRow.Clock.read(row);
    @Nullable SessionRow session = SessionRow.read(row);
    Liveness liveness = clock.judge(session, stay.countsFrom());
    Optional<Instant> revoked =
        stay.isThere() ? Optional.of(StoreTime.instant(stay.from())) : Optional.empty();
    Holder holder =
        new Holder(
            RequestId.parse(request),
            Entry.mode(row.getString("mode")),
            new ProcessIdentity(row.getString("process")),
            new String(row.getBytes("why"), UTF_8),
            Payload.of(row.getBytes("payload")),
            StoreTime.instant(since),
            liveness,
            revoked);
    return new HolderRow(
        name,
        number,
        Optional.of(holder),
        since,
        clock.dueIn(session, stay.countsFrom()),
        stay.isDoubtful());
  }

  static LockName name(ResultSet row) throws SQLException {
    return new LockName(new String(row.getBytes("name"), UTF_8));
  }

  /** Returns the row of a lock that has no record. */
  static HolderRow unknown(LockName name) {
    return new HolderRow(name, 0, Optional.empty(), 0, Optional.empty(), false);
  }

  boolean isFree() {
    return holder.isEmpty();
  }

  boolean isHeldBy(RequestId request) {
    return holder.filter(present -> present.request().equals(request)).isPresent();
  }

  LockRecord with(List<Waiter> waiters) {
    return new LockRecord(name, number, holder, waiters);
  }
}
