package io.holdfast.jdbc;

import java.util.Collection;
import java.util.List;

/**
 * The statements of one kind of database. Each is one autocommit step on one row of a lock or of a
 * session, and may be the last thing its client does.
 *
 * <p>Parameters have names. The most frequent: {@code :name} of the lock as bytes, {@code
 * :session}, {@code :request} as text, {@code :mark} by which a request is {@linkplain
 * io.holdfast.spi.QueueText#mark found in a queue}, {@code :entry} to be put into it. Times are
 * microseconds of the database's clock, taken when the row is locked, not when the statement began
 * to wait for it.
 *
 * <p>The number of a lock changes exactly when its head does, to the greater of the clock and its
 * successor; {@code revoked} is 0 from then on.
 *
 * <p>A statement that changes a row and tells what has become of it does so in the columns named
 * here, or where the database returns none in another way that its {@link Answers} read.
 */
interface Dialect {

  /** Returns a statement of this dialect as the database takes it. */
  String render(String text, String prefix);

  /** Returns the value of {@code :names}, given in hexadecimal digits. */
  Object names(Collection<String> hex);

  /** Returns the value of {@code :sessions}. */
  Object sessions(Collection<String> ids);

  /** The tables in the order in which they are made; each statement does nothing if it is there. */
  List<String> tables();

  /** Returns how the statements tell what they have changed. */
  Answers answers();

  /** Columns {@code protocol, partitions, max_ttl, max_clock_step}; no row if nobody wrote one. */
  String namespace();

  /** Writes the namespace's settings, and the life it begins in, unless they are there. */
  String writeNamespace();

  /**
   * Makes a session renewed now, unless its id was used, and only in the life of the database that
   * the namespace has recorded; column {@code renewed}.
   */
  String openSession();

  /** Renews a session if it is there, and of this life; columns {@code ttl, notices, renewed}. */
  String renew();

  /** Deletes a session. */
  String closeSession();

  /**
   * Deletes a session whose time has passed since a renewal of this incarnation, or that is of
   * another life.
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
   * restart guard. Columns {@code number, since, granted}; no row if nothing was changed.
   */
  String grab();

  /**
   * The columns of {@link RecordRow}, of one lock, and {@code mine}: whether {@code :session} is
   * there, {@code guard}: until when the restart guard lasts, and {@code guard_max}: until when one
   * would that began now. One row, also if there is no record.
   */
  String standing();

  /** Lets a restart guard that lasts for longer than any could begin now. */
  String restampGuard();

  /**
   * Lets the {@code :head} leave if its session is not there or it was revoked a whole TTL ago, and
   * puts the next one or else the request in its place; if {@code :guard} is 1 not during the
   * restart guard. Columns {@code number, since, granted}.
   */
  String overtake();

  /** Removes a request; columns {@code was_head, empty}; no row if it is not there. */
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

  /** The columns of {@link RecordRow}, of held locks from {@code :low} to below {@code :high}. */
  String list();

  /**
   * Columns {@code name, number, free, ahead} of records that nobody lives for: idle for {@code
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

  /** Column {@code id} of sessions renewed in the future, at most {@code :most}. */
  String sessionsAhead();

  /** Gives those in {@code :sessions} the present time, on behalf of nobody. */
  String restampAhead();

  /** Deletes sessions lapsed for {@code :idle}, at most {@code :most}. */
  String deleteLapsed();
}
