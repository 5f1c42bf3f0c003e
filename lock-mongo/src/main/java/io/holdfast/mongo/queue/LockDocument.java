package io.holdfast.mongo.queue;

import io.holdfast.BackendUnusableException;
import io.holdfast.Liveness;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.support.QueueEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A lock, as read from its document.
 *
 * @param base the number to which the count of grants is added
 * @param n how many times the head has changed
 * @param since when the head last changed
 * @param revoked when the head was revoked, if it was
 * @param queue its requests from the head on, as many as the projection returned
 */
public record LockDocument(
    LockName name,
    long base,
    long n,
    Instant since,
    Optional<Revoked> revoked,
    List<BsonDocument> queue) {

  /**
   * The maximum number of waiters. Every step on a lock rewrites its queue. A document has at most
   * 16 MB, and an entry at most some seven thousand bytes.
   */
  public static final int WAITERS_MAX = 500;

  /** When a grant was revoked, and by the clock of which incarnation. */
  record Revoked(Instant at, String incarnation) {}

  /**
   * Reads a lock's document.
   *
   * @param where the name of the store in messages
   * @throws BackendUnusableException if it is damaged
   */
  public static LockDocument read(BsonDocument document, String where) {
    try {
      return new LockDocument(
          LockKey.name(document.getString("_id").getValue()),
          document.getInt64("base").getValue(),
          document.getInt64("n").getValue(),
          instant(document, "since"),
          document.containsKey("revoked")
              ? Optional.of(revoked(document.getDocument("revoked")))
              : Optional.empty(),
          document.getArray("queue").stream().map(BsonValue::asDocument).toList());
    } catch (RuntimeException e) {
      throw damaged(String.valueOf(document.get("_id")), where, e);
    }
  }

  private static Revoked revoked(BsonDocument mark) {
    return new Revoked(instant(mark, "at"), mark.getString("inc").getValue());
  }

  private static Instant instant(BsonDocument document, String field) {
    return Instant.ofEpochMilli(document.getDateTime(field).getValue());
  }

  private static BackendUnusableException damaged(
      String key, String where, RuntimeException cause) {
    return new BackendUnusableException(
        "The document of lock %s at %s is damaged (%s). Delete it while the lock has no holder."
            .formatted(key, where, cause.getMessage()),
        cause);
  }

  /**
   * Returns the number of the current grant, or of the last one if the lock is free: the release
   * was counted too.
   */
  public long number() {
    return isFree() ? base + n - 1 : base + n;
  }

  /** Returns whether the lock has never been granted. Such a record is not shown to users. */
  boolean isUnused() {
    return n == 0;
  }

  boolean isFree() {
    return queue.isEmpty();
  }

  /** Returns the number of waiters. Requires the whole queue. */
  int waiting() {
    return Math.max(0, queue.size() - 1);
  }

  /** Returns whether requests wait. Requires the whole queue. */
  Contention contention() {
    return Contention.of(waiting());
  }

  public Optional<RequestId> head() {
    return isFree() ? Optional.empty() : Optional.of(request(0));
  }

  boolean isHeldBy(RequestId request) {
    return position(request) == 0;
  }

  boolean isAsObserved(Observed observed) {
    return number() == observed.number() && isHeldBy(observed.request());
  }

  /** Returns the position of a request in the queue: 0 for the holder, -1 if it is absent. */
  int position(RequestId request) {
    String wanted = request.toString();
    for (int i = 0; i < queue.size(); i++) {
      if (text(queue.get(i), "req").equals(wanted)) {
        return i;
      }
    }
    return -1;
  }

  RequestId request(int position) {
    return RequestId.parse(text(queue.get(position), "req"));
  }

  /** Returns the lock's record for users. Requires the whole queue. */
  LockRecord toRecord(Liveness liveness, String where) {
    List<QueueEntry> entries;
    try {
      entries = queue.stream().map(LockDocument::entry).toList();
    } catch (RuntimeException e) {
      throw damaged(name.value(), where, e);
    }
    return new LockRecord(
        name,
        number(),
        entries.stream()
            .findFirst()
            .map(first -> first.asHolder(since, liveness, revoked.map(Revoked::at))),
        entries.stream().skip(1).map(QueueEntry::asWaiter).toList());
  }

  private static QueueEntry entry(BsonDocument entry) {
    return new QueueEntry(
        RequestId.parse(text(entry, "req")),
        LockMode.EXCLUSIVE,
        new ProcessIdentity(text(entry, "process")),
        text(entry, "why"),
        Payload.of(entry.getBinary("payload").getData()));
  }

  private static String text(BsonDocument document, String field) {
    return document.getString(field).getValue();
  }
}
