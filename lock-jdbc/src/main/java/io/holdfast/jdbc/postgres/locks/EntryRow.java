package io.holdfast.jdbc.postgres.locks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.record.Holder;
import io.holdfast.record.Waiter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request that holds or waits, with all that it says about itself.
 *
 * @param since when it was granted, if it holds
 */
record EntryRow(
    Judged judged,
    boolean waits,
    LockMode mode,
    ProcessIdentity process,
    String why,
    Payload payload,
    Instant since) {

  /** Reads a row; empty if it has no entry. */
  static Optional<EntryRow> read(ResultSet row) throws SQLException {
    return Judged.isThere(row)
        ? Optional.of(
            new EntryRow(
                Judged.read(row),
                row.getBoolean("waits"),
                Entry.mode(row.getString("mode")),
                new ProcessIdentity(row.getString("process")),
                new String(row.getBytes("why"), UTF_8),
                Payload.of(row.getBytes("payload")),
                StoreTime.instant(row.getLong("since"))))
        : Optional.empty();
  }

  static LockName name(ResultSet row) throws SQLException {
    return new LockName(new String(row.getBytes("name"), UTF_8));
  }

  Holder holder() {
    return new Holder(
        judged.request(),
        mode,
        process,
        why,
        payload,
        since,
        judged.liveness(),
        judged.stay().filter(StayRow::isRevocation).map(StayRow::began),
        judged.stay().map(StayRow::toStay),
        judged.due(),
        OptionalLong.empty());
  }

  Waiter waiter() {
    return new Waiter(judged.request(), mode, process, why);
  }
}
