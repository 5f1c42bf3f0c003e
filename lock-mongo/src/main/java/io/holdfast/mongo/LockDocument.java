package io.holdfast.mongo;

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
import io.holdfast.spi.QueueEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A lock as a command has told it.
 *
 * @param base what the count of its grants is added to
 * @param n how many grants there have been
 * @param since when the head became what it is
 * @param revoked when the head was revoked, if it was
 * @param queue its requests from the head on, as far as they were told
 */
record LockDocument(
    LockName name,
    long base,
    long n,
    Instant since,
    Optional<Revoked> revoked,
    List<BsonDocument> queue) {

  /**
   * How many may wait at most. Every step on a lock writes its queue anew, and a document has 16
   * MB, of which an entry takes some seven thousand bytes at most.
   */
  static final int WAITERS_MAX = 500;

  /** When a grant was revoked, by whose clock. */
  record Revoked(Instant at, String incarnation) {}

  /**
   * Reads it.
   *
   * @param where how the store is called in messages
   * @throws BackendUnusableException if it is damaged
   */
  static LockDocument read(BsonDocument document, String where) {
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
        "The document of lock %s at %s is damaged (%s). Delete it while nobody holds the lock."
            .formatted(key, where, cause.getMessage()),
        cause);
  }

  /** The number of the current grant, or of the last one: leaving has been counted since. */
  long number() {
    return isFree() ? base + n - 1 : base + n;
  }

  /** Whether it has never been granted: there is nothing to be told of it. */
  boolean isUnused() {
    return n == 0;
  }

  boolean isFree() {
    return queue.isEmpty();
  }

  /** Where the whole queue was told. */
  int waiting() {
    return Math.max(0, queue.size() - 1);
  }

  /** Whether others wait, where the whole queue was told. */
  Contention contention() {
    return Contention.of(waiting());
  }

  Optional<RequestId> head() {
    return isFree() ? Optional.empty() : Optional.of(request(0));
  }

  boolean isHeldBy(RequestId request) {
    return position(request) == 0;
  }

  boolean isAsObserved(Observed observed) {
    return number() == observed.number() && isHeldBy(observed.request());
  }

  /** Returns where in the queue a request stands: 0 if it holds, -1 if it is not there. */
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

  /** Returns the lock as it is shown to people, where the whole queue was told. */
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
