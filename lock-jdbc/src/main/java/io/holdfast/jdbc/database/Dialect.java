package io.holdfast.jdbc.database;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The statements of one kind of database. Each is one autocommit step on one row of a lock or of a
 * session, and may be the last thing its client does.
 *
 * <p>Parameters have names. The most frequent: {@code :name} of the lock as bytes, {@code :session}
 * and {@code :request} as text. Times are microseconds of the database's clock, taken when the row
 * is locked, not when the statement began to wait for it.
 *
 * <p>The number of a lock changes exactly when its holder does, to the greater of the clock and its
 * successor.
 *
 * <p>A statement that changes a row reports the changed row in the columns named here. Where the
 * database returns no columns, its {@link SessionChanges} read the result in another way.
 *
 * <p>The statements on locks depend on how their queues lie in the tables: {@link QueueTextDialect}
 * has those for a queue that is a text, and PostgreSQL has its own.
 */
public interface Dialect {

  /** Returns a statement of this dialect as the database takes it. */
  String render(String text, String prefix);

  /** Returns the value of {@code :names}, given in hexadecimal digits. */
  Object names(Collection<String> hex);

  /** Returns the value of {@code :sessions}. */
  Object sessions(Collection<String> ids);

  /** Returns the version of the layout of the tables. */
  int protocol();

  /** The tables in the order in which they are made; each statement does nothing if it is there. */
  List<String> tables();

  /** Returns what this version reads and writes of each table; a table may have more columns. */
  Map<String, Set<String>> columns();

  /** Returns the reader of the results of the statements that change a session. */
  SessionChanges changes();

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
   * renewed, incarnation}.
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

  /** Lets a restart guard that lasts for longer than any could begin now. */
  String restampGuard();

  /** Removes the notice that is {@code :once} or has {@code :begin} before its stay. */
  String acknowledge();

  /** Lets the records in {@code :names} be idle since now that are so since the future. */
  String restampIdle();

  /** Raises the floor to {@code :number}. */
  String raiseFloor();

  /** Column {@code id} of sessions renewed in the future, at most {@code :limit}. */
  String sessionsAhead();

  /** Gives the sessions in {@code :sessions} the present time. This is no renewal by a holder. */
  String restampAhead();

  /** Deletes sessions lapsed for {@code :idle}, at most {@code :limit}. */
  String deleteLapsed();
}
