package io.holdfast.mongo.queue;

import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.queue.StoredStay.Kind;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A lock, as read from its document.
 *
 * @param base the number to which the count of grants is added
 * @param n how many times the lock was granted again or became free
 * @param since when {@code n} last changed
 * @param queue its requests from the head on, as many as the projection returned
 * @param stays the stays of its holders
 * @param about what people read about its requests, if the projection returned that
 */
public record LockDocument(
    LockName name,
    long base,
    long n,
    Instant since,
    List<Entry> queue,
    Map<RequestId, StoredStay> stays,
    BsonDocument about) {

  /** The maximum number of waiters. Every step on a lock rewrites its queue. */
  public static final int WAITERS_MAX = 500;

  /**
   * The maximum number of requests that hold a lock together. A document has at most 16 MB, and a
   * request in it at most some seven thousand bytes.
   */
  static final int HOLDERS_MAX = 500;

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
          Instant.ofEpochMilli(document.getDateTime("since").getValue()),
          document.getArray("queue").stream().map(BsonValue::asDocument).map(Entry::read).toList(),
          stays(document.getDocument("stays", new BsonDocument())),
          document.getDocument("about", new BsonDocument()));
    } catch (RuntimeException e) {
      throw damaged(String.valueOf(document.get("_id")), where, e);
    }
  }

  private static Map<RequestId, StoredStay> stays(BsonDocument stored) {
    Map<RequestId, StoredStay> stays = new HashMap<>();
    stored.forEach(
        (request, stay) -> stays.put(RequestId.parse(request), StoredStay.read(stay.asDocument())));
    return stays;
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

  /** Returns whether shared requests hold the lock. */
  boolean isShared() {
    return !isFree() && queue.get(0).isShared();
  }

  /** Returns the exclusive request at the head, or all shared ones before the first exclusive. */
  public List<Entry> holders() {
    return queue.subList(0, holding());
  }

  private int holding() {
    if (!isShared()) {
      return Math.min(1, queue.size());
    }
    int first = 0;
    while (first < queue.size() && queue.get(first).isShared()) {
      first++;
    }
    return first;
  }

  List<Entry> waiters() {
    return queue.subList(holding(), queue.size());
  }

  /** Returns whether requests wait. Requires the whole queue. */
  Contention contention() {
    return Contention.of(waiters().size());
  }

  Observed observed(Entry holder) {
    return new Observed(name, number(), holder.request());
  }

  /** Returns the holder that was observed, if it still holds by the same number. */
  Optional<Entry> asObserved(Observed observed) {
    return number() == observed.number() ? holder(observed.request()) : Optional.empty();
  }

  Optional<Entry> holder(RequestId request) {
    return holders().stream().filter(entry -> entry.request().equals(request)).findFirst();
  }

  public Optional<StoredStay> stay(Entry holder) {
    return Optional.ofNullable(stays.get(holder.request()));
  }

  /** Returns whether a holder's lock-delay is still to begin when its session is over. */
  boolean hasDelayLeft(Entry holder) {
    return !holder.lockDelay().isZero()
        && stay(holder).filter(stay -> stay.kind() != Kind.NOTICE).isEmpty();
  }

  /** Returns whether a holder's lock-delay has begun. */
  boolean isInDelay(Entry holder) {
    return stay(holder).filter(stay -> stay.kind() == Kind.LOCK_DELAY).isPresent();
  }

  /** Returns whether a request was given back and only stays. */
  boolean isGivenBack(RequestId request) {
    @Nullable StoredStay stay = stays.get(request);
    return stay != null && stay.kind() == Kind.AT_LEAST;
  }

  /**
   * Returns the position of a request in the queue as its client sees it: 0 for the head, -1 if it
   * is absent or was given back.
   */
  int position(RequestId request) {
    for (int i = 0; i < queue.size(); i++) {
      if (queue.get(i).request().equals(request)) {
        return isGivenBack(request) ? -1 : i;
      }
    }
    return -1;
  }

  /** Returns the nearest exclusive request ahead of one that waits in shared mode. */
  Entry exclusiveAhead(RequestId waiter) {
    int ahead = position(waiter) - 1;
    while (queue.get(ahead).isShared()) {
      ahead--;
    }
    return queue.get(ahead);
  }

  /** Returns the requests of a session, without those that were given back. */
  List<RequestKey> requestsOf(SessionId session) {
    return queue.stream()
        .map(Entry::request)
        .filter(request -> request.session().equals(session) && !isGivenBack(request))
        .map(request -> new RequestKey(name, request))
        .toList();
  }

  /** Returns whether a request holds the lock, as its client sees it. */
  boolean isHeldBy(RequestId request) {
    int position = position(request);
    return position >= 0 && position < holding();
  }

  /**
   * Returns what people read about a request. There is nothing about one that a client of version 1
   * has sent, and whose command was on its way while that version was retired.
   */
  About about(Entry entry, String where) {
    if (!about.containsKey(entry.request().toString())) {
      return About.NOTHING;
    }
    try {
      BsonDocument told = about.getDocument(entry.request().toString());
      return new About(
          new ProcessIdentity(told.getString("process").getValue()),
          told.getString("why").getValue(),
          Payload.of(told.getBinary("payload").getData()));
    } catch (RuntimeException e) {
      throw damaged(name.value(), where, e);
    }
  }
}
