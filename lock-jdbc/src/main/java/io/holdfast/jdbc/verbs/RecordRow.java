package io.holdfast.jdbc.verbs;

import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.jdbc.database.SessionRow;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.support.QueueEntry;
import io.holdfast.spi.support.QueueText;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lock as a statement returned it: columns {@code name, number, since, revoked, queue}, of its
 * holder's session {@code ttl, renewed, comparable}, and {@code step, now}.
 *
 * @param headDue how long until the holder is judged otherwise, if it counts
 */
record RecordRow(
    LockName name,
    long number,
    long since,
    long revoked,
    String queue,
    Liveness head,
    Optional<Duration> headDue) {

  /** Reads a row whose lock is there. */
  static RecordRow read(ResultSet row) throws SQLException {
    long revoked = row.getLong("revoked");
    SessionRow.Clock clock = SessionRow.Clock.read(row);
    @Nullable SessionRow holder = SessionRow.read(row);
    return new RecordRow(
        new LockName(new String(row.getBytes("name"), StandardCharsets.UTF_8)),
        row.getLong("number"),
        row.getLong("since"),
        revoked,
        row.getString("queue"),
        clock.judge(holder, revoked),
        clock.dueIn(holder, revoked));
  }

  /** Returns the row of a lock that has no record. */
  static RecordRow unknown(LockName name) {
    return new RecordRow(name, 0, 0, 0, "", Liveness.ENDED, Optional.empty());
  }

  boolean isFree() {
    return queue.isEmpty();
  }

  boolean isHeldBy(RequestId request) {
    return queue.startsWith(QueueText.mark(request));
  }

  boolean hasQueued(RequestId request) {
    return queue.contains(QueueText.mark(request));
  }

  int waiting() {
    return Math.max(0, QueueText.countBefore(queue, queue.length()) - 1);
  }

  LockRecord toRecord() {
    List<QueueEntry> entries = QueueText.parse(name, queue);
    return new LockRecord(
        name,
        number,
        entries.stream().findFirst().map(this::holder),
        entries.stream().skip(1).map(QueueEntry::asWaiter).toList());
  }

  private Holder holder(QueueEntry first) {
    return first.asHolder(
        StoreTime.instant(since),
        head,
        revoked == 0 ? Optional.empty() : Optional.of(StoreTime.instant(revoked)));
  }
}
