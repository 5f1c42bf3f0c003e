package io.holdfast.jdbc.database;

import java.util.Collection;
import java.util.List;

/**
 * The statements of one kind of database. Each is one autocommit step on one row of a lock or of a
 * session, and may be the last thing its client does.
 *
 * <p>Parameters have names. The most frequent: {@code :name} of the lock as bytes, {@code
 * :session}, {@code :request} as text, {@code :mark} by which a request is {@linkplain
 * io.holdfast.spi.support.QueueText#mark found in a queue}, {@code :entry} to be put into it. Times
 * are microseconds of the database's clock, taken when the row is locked, not when the statement
 * began to wait for it.
 *
 * <p>The number of a lock changes exactly when its head does, to the greater of the clock and its
 * successor; {@code revoked} is 0 from then on.
 *
 * <p>A statement that changes a row reports the changed row in the columns named here. Where the
 * database returns no columns, its {@link RowChanges} read the result in another way.
 */
public interface Dialect {

  /**
   * The longest queue, in characters: some four thousand ordinary waiters, or sixty with the
   * longest texts that are allowed. Every step on a lock rewrites its queue.
   */
  int QUEUE_MAX = 512 * 1024;

  /** Returns a statement of this dialect as the database takes it. */
  String render(String text, String prefix);

  /** Returns the value of {@code :names}, given in hexadecimal digits. */
  Object names(Collection<String> hex);

  /** Returns the value of {@code :sessions}. */
  Object sessions(Collection<String> ids);

  /** The tables in the order in which they are made; each statement does nothing if it is there. */
  List<String> tables();

  /** Returns the reader of the results of the statements that change a row. */
  RowChanges changes();

  /**
   * Columns {@code protocol, partitions, max_ttl, max_clock_step}; no row before the settings are
   * written.
   */
  String namespace();

  /** Writes the namespace's settings and its first data incarnation, unless they are there. */
  String writeNamespace();

  /**
   * Creates a session renewed now, unless its id was used, and only in the data incarnation that
   * the namespace has recorded; column {@code renewed}.
   */
  String openSession();

  /**
   * Renews a session if it is there and of this data incarnation; columns {@code ttl, notices,
   * renewed}.
   */
  String renew();

  /** Deletes a session. */
  String closeSession();

  /**
   * Deletes a session whose time has passed since a renewal of this incarnation, or that is of
   * another data incarnation.
   */
  String endLapsed();

  /**
   * Column {@code doubtful}: whether a session's last renewal cannot be compared with this clock in
   * this incarnation; no row if the session is not there.
   */
  String doubtful();

  /** Renews a session on behalf of others if its last renewal is {@link #doubtful}. */
  String restampSession();

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

  /** Lets a restart guard that lasts for longer than any could begin now. */
  String restampGuard();

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

  /** Removes a notice from a session. */
  String acknowledge();

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

  /** Lets the records in {@code :names} be idle since now that are so since the future. */
  String restampIdle();

  /** Lets the heads of the locks in {@code :names} leave whose sessions are not there. */
  String evictOrphans();

  /** Raises the floor to {@code :number}. */
  String raiseFloor();

  /** Deletes free records among {@code :names}, idle for {@code :idle} and not above the floor. */
  String deleteFree();

  /** Column {@code id} of sessions renewed in the future, at most {@code :limit}. */
  String sessionsAhead();

  /** Gives the sessions in {@code :sessions} the present time. This is no renewal by a holder. */
  String restampAhead();

  /** Deletes sessions lapsed for {@code :idle}, at most {@code :limit}. */
  String deleteLapsed();
}
