package io.holdfast.jdbc.database;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The statements of a database where a queue is one text in its lock's row: the entries of all
 * requests in order, of which the first {@code held} characters hold the lock. The form of an entry
 * is known to {@code io.holdfast.jdbc.verbs.Entry}, and here only this: it begins with the mode,
 * {@code x} or {@code s}, and {@code :mark}, the text by which it is found, which begins with an
 * exclamation mark, or with a tilde if the request stays without a session; and it ends with the
 * only semicolon in it.
 *
 * <p>{@code given_in} is the incarnation of the data in which the number was given.
 */
public interface QueueTextDialect extends Dialect {

  /** The version of this layout: a queue has entries of both modes, and several that hold. */
  int PROTOCOL = 2;

  /** How many requests may wait for one lock unless a client says otherwise. */
  int WAITERS_MAX = 200;

  /**
   * The longest queue, in characters: some four thousand ordinary requests, or sixty with the
   * longest texts that are allowed. Every step on a lock rewrites its queue.
   */
  int QUEUE_MAX = 512 * 1024;

  /** Returns the reader of the results of the statements that change a row. */
  @Override
  RowChanges changes();

  @Override
  default int protocol() {
    return PROTOCOL;
  }

  @Override
  default Map<String, Set<String>> columns() {
    Map<String, Set<String>> columns = new HashMap<>(Tables.COLUMNS);
    columns.put("locks", Set.of("name", "number", "since", "given_in", "answer", "held", "queue"));
    return columns;
  }

  /**
   * Puts an {@code :entry} into an empty queue; or appends it to another if it is not in it, that
   * has {@code :room} for it, and it may share the lock ({@code :shared} is 1) or wait ({@code
   * :join} is 1) together with fewer than {@code :waiters}. Only while its session is there, and if
   * {@code :guard} is 1 not during the restart guard. Columns {@code granted}, the number, or 0 if
   * it waits, and {@code since}; no row if nothing was changed.
   */
  String grab();

  /**
   * Puts an {@code :entry} into an empty queue if its record is there, and so takes the lock: the
   * short way of {@link #grab}, under the same conditions. Columns {@code number, since}; no row if
   * nothing was changed.
   */
  String take();

  /**
   * Of one lock, columns {@code name, number, since, held, queue}, of the session of its first
   * entry {@code ttl, renewed, comparable}, and {@code step, now, present}, the incarnation by
   * whose clock that is; and {@code mine}: whether {@code :session} is there, {@code guard}: until
   * when the restart guard lasts, and {@code guard_max}: until when one would that began now. One
   * row, also if there is no record.
   */
  String standing();

  /**
   * Removes a request; if {@code :number} is not 0, only one that holds by this number. If none
   * holds then, the next one does, with a new number, and with a run of the present incarnation all
   * that are shared before the next exclusive one. If no request is left, the lock goes to {@code
   * :newcomer}, an entry, unless that is empty. Tells 1 if the request was waiting, 2 if it has
   * freed the lock, 3 if it has handed it on, 4 if others hold still.
   */
  String remove();

  /**
   * Removes a request that holds alone while nobody waits: the short way of {@link #remove}. One
   * row if it did.
   */
  String leave();

  /**
   * Puts {@code :new} in the place of the entry {@code :old}, which is {@code :longer} characters
   * shorter, if that is there and the number is {@code :number}; one row if it was.
   */
  String replaceEntry();

  /**
   * Puts a run of its own in the place of the exclusive holder whose entry begins with {@code
   * :exclusive} and then with {@code :shared}; one row if it holds so.
   */
  String downgrade();

  /**
   * Gives the {@code :holder} session a {@code :notice} while the observed request holds: unless it
   * has the one of it that is {@code :once}, or one that has {@code :begin} before its stay and is
   * not {@code :instead}. One row if it did.
   */
  String notifyRevoked();

  /** Column {@code notices} of a session. */
  String notices();

  /**
   * Columns {@code name, number, since, held, queue} of the locks in {@code :names}; no row if
   * {@code :session} is over.
   */
  String queues();

  /** The same columns of the locks in {@code :names}, no matter which sessions live. */
  String glance();

  /**
   * The same columns of locks from {@code :low} to below {@code :high} in whose queues {@code
   * :begin} occurs, {@code :limit} at most, in the order of their names. It reads every queue.
   */
  String queuesWith();

  /**
   * Columns {@code id, ttl, renewed, comparable, step, now, present}: one row at least, its id
   * empty.
   */
  String sessions();

  /**
   * Held locks from {@code :low} to below {@code :high}, in the columns of {@link #standing}
   * without {@code mine, guard, guard_max}.
   */
  String list();

  /**
   * Columns {@code name, number, free, ahead} of records whose first entry is of no session that is
   * there, or stays without one: idle for {@code :idle} and, if free, with a number as old; or idle
   * since the future.
   */
  String idleRecords();

  /** Deletes free records among {@code :names}, idle for {@code :idle} and not above the floor. */
  String deleteFree();
}
