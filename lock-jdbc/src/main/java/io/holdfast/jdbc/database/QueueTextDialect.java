package io.holdfast.jdbc.database;

import io.holdfast.spi.NamespaceSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The statements of a database where a queue is one text in its lock's row. {@code :mark} is the
 * text by which a request is {@linkplain io.holdfast.spi.support.QueueText#mark found in a queue},
 * {@code :entry} the text to be put into it. {@code revoked} is 0 from each change of the head on.
 */
public interface QueueTextDialect extends Dialect {

  /** How many requests may wait for one lock unless a client says otherwise. */
  int WAITERS_MAX = 200;

  /**
   * The longest queue, in characters: some four thousand ordinary waiters, or sixty with the
   * longest texts that are allowed. Every step on a lock rewrites its queue.
   */
  int QUEUE_MAX = 512 * 1024;

  /** Returns the reader of the results of the statements that change a row. */
  @Override
  RowChanges changes();

  @Override
  default int protocol() {
    return NamespaceSettings.PROTOCOL;
  }

  @Override
  default Map<String, Set<String>> columns() {
    Map<String, Set<String>> columns = new HashMap<>(Tables.COLUMNS);
    columns.put("locks", Set.of("name", "number", "since", "revoked", "queue"));
    return columns;
  }

  /**
   * Makes the request the head of an empty queue; or appends it to another if {@code :join} is 1,
   * it is not in it, the queue stays within {@code :cap} characters and no more than {@code
   * :waiters} wait then. Only while its session is there, and if {@code :guard} is 1 not during the
   * restart guard. Columns {@code granted}, the number, or 0 if it waits, and {@code since}; no row
   * if nothing was changed.
   */
  String grab();

  /**
   * Of one lock, columns {@code name, number, since, revoked, queue}, of its holder's session
   * {@code ttl, renewed, comparable}, and {@code step, now}; and {@code mine}: whether {@code
   * :session} is there, {@code guard}: until when the restart guard lasts, and {@code guard_max}:
   * until when one would that began now. One row, also if there is no record.
   */
  String standing();

  /**
   * Lets the {@code :head} leave if its session is not there or it was revoked a whole TTL ago, and
   * puts the next one or else the request in its place; if {@code :guard} is 1 not during the
   * restart guard. Columns {@code granted}, the number, or 0 if another has the lock, and {@code
   * since}.
   */
  String overtake();

  /**
   * Removes a request; column {@code told}: 1 if it was waiting, 2 if no other request was, 3 if it
   * has handed the lock on; no row if it is not there.
   */
  String release();

  /** Adds a notice to the {@code :holder} session while the observed head is in place. */
  String notifyRevoked();

  /** Marks the observed head as revoked; column {@code remaining}. */
  String markRevoked();

  /** Gives a mark of the future the present time. */
  String restampRevoked();

  /** Removes the observed head; one row if it was there. */
  String evict();

  /**
   * Columns {@code name, number, since, revoked, queue, now} of the locks in {@code :names}; no row
   * if {@code :session} is over.
   */
  String queues();

  /** Columns {@code id, ttl, renewed, comparable, step, now}: one row at least, its id empty. */
  String sessions();

  /**
   * Held locks from {@code :low} to below {@code :high}, in the columns of {@link #standing}
   * without {@code mine, guard, guard_max}.
   */
  String list();

  /**
   * Columns {@code name, number, free, ahead} of records without a live holder: idle for {@code
   * :idle} and, if free, with a number below the clock; or idle since the future.
   */
  String idleRecords();

  /** Lets the heads of the locks in {@code :names} leave whose sessions are not there. */
  String evictOrphans();

  /** Deletes free records among {@code :names}, idle for {@code :idle} and not above the floor. */
  String deleteFree();
}
