package io.holdfast.jdbc.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.database.StoredStay;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Observed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A lock's row.
 *
 * @param number the number of the present grant, or of the last one
 * @param since when that was given, or when the lock became free
 * @param held so many characters of the queue are the entries that hold
 */
record LockRow(LockName name, long number, long since, int held, String queue) {

  static LockRow read(ResultSet row) throws SQLException {
    LockName name = new LockName(new String(row.getBytes("name"), UTF_8));
    String queue = row.getString("queue");
    int held = row.getInt("held");
    if (held < 0 || held > queue.length() || queue.isEmpty() != (held == 0)) {
      throw damaged(name, new IllegalArgumentException("Not what holds: " + held));
    }
    return new LockRow(name, row.getLong("number"), row.getLong("since"), held, queue);
  }

  /** Returns the row of a lock that has no record. */
  static LockRow unknown(LockName name) {
    return new LockRow(name, 0, 0, 0, "");
  }

  private static BackendUnusableException damaged(LockName name, RuntimeException e) {
    return new BackendUnusableException(
        "The record of lock %s is damaged: its queue cannot be read. Delete the record."
            .formatted(name),
        e);
  }

  private <T> T parsed(Supplier<T> parse) {
    try {
      return parse.get();
    } catch (BackendUnusableException e) {
      throw e;
    } catch (RuntimeException e) {
      throw damaged(name, e);
    }
  }

  /** Whether the lock has a record. */
  boolean isThere() {
    return number > 0;
  }

  boolean isFree() {
    return queue.isEmpty();
  }

  /** Returns the session of the first entry; empty if there is none. */
  String firstSession() {
    return isFree() ? "" : parsed(() -> Entry.firstSession(queue));
  }

  boolean isHeldBy(RequestId request) {
    int position = position(request);
    return position >= 0 && position < held;
  }

  /** Whether an entry of the queue is one that holds. */
  boolean isHeldBy(Entry entry) {
    return queue.indexOf(entry.text()) < held;
  }

  boolean hasQueued(RequestId request) {
    return position(request) >= held;
  }

  /** Whether a request is the first of those that wait. */
  boolean isNext(RequestId request) {
    return position(request) == held;
  }

  /** Whether it is held in shared mode. */
  boolean isShared() {
    return queue.startsWith("s");
  }

  /** Whether a request stays here without a session. */
  boolean hasTombstone(RequestId request) {
    return queue.contains(Entry.tombstoneMark(request));
  }

  /** Returns where in the queue's text a request stands; negative if it does not. */
  private int position(RequestId request) {
    return queue.indexOf(Entry.mark(request)) - 1;
  }

  /** Returns those that hold. */
  List<Entry> holders() {
    return parsed(() -> Entry.all(queue.substring(0, held)));
  }

  /** Returns the holder that was observed, which may be one that stays without a session. */
  Optional<Entry> holder(Observed observed) {
    return number == observed.number() ? holder(observed.request()) : Optional.empty();
  }

  /** Returns the same, by any number that it holds. */
  Optional<Entry> holder(RequestId request) {
    return parsed(
        () -> holders().stream().filter(entry -> entry.request().equals(request)).findFirst());
  }

  /** Returns those that stand before a request that waits. */
  List<Entry> ahead(RequestId request) {
    return parsed(() -> Entry.all(queue.substring(0, position(request))));
  }

  /** Returns the sessions of those that hold, and of the first that waits. */
  List<SessionId> concerned() {
    int end = queue.indexOf(';', held) + 1; // The first that waits is there with its end.
    return parsed(
        () ->
            Entry.all(queue.substring(0, Math.max(held, end))).stream()
                .map(entry -> new SessionId(entry.session()))
                .toList());
  }

  /** Returns the requests of a session, without those that stay without it. */
  List<RequestKey> requestsOf(SessionId session) {
    return parsed(
        () ->
            Entry.all(queue).stream()
                .filter(entry -> !entry.isTombstone())
                .map(Entry::request)
                .filter(request -> request.session().equals(session))
                .map(request -> new RequestKey(name, request))
                .toList());
  }

  int waiting() {
    return Entry.count(queue.substring(held));
  }

  /** Returns those that hold with a stay that begins again, now that it is seen. */
  List<Entry> doubtful(Judge judge) {
    return queue.indexOf(StoredStay.SIGN) < 0
        ? List.of()
        : parsed(
            () ->
                holders().stream()
                    .filter(entry -> entry.stay().filter(judge::isDoubtful).isPresent())
                    .toList());
  }

  LockRecord toRecord(Judge judge) {
    return parsed(
        () ->
            new LockRecord(
                name,
                number,
                holders().stream()
                    .map(entry -> entry.holder(StoreTime.instant(since), judge))
                    .toList(),
                Entry.all(queue.substring(held)).stream().map(Entry::waiter).toList()));
  }
}
