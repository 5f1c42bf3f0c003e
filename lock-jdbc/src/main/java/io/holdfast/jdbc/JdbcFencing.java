package io.holdfast.jdbc;

import io.holdfast.Sequencer;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Lets a database itself refuse a stale holder: a table of the greatest token of each lock, which
 * is compared and raised in the application's own transaction. The lock may be in another store.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * fencing.admit(connection, grant.sequencer()); // throws StaleTokenException
 * update(connection, order);
 * connection.commit();
 * }</pre>
 *
 * <p>Runs in PostgreSQL, MariaDB, MySQL, SQLite and H2. Thread-safe.
 */
public final class JdbcFencing {

  /** The name of the table unless another one is given. */
  public static final String TABLE_DEFAULT = "holdfast_fences";

  private static final Pattern TABLE =
      Pattern.compile("[a-z][a-z0-9_]{0,62}(\\.[a-z][a-z0-9_]{0,62})?");

  private final String table;

  /** Remembers tokens in the table {@link #TABLE_DEFAULT}. */
  public JdbcFencing() {
    this(TABLE_DEFAULT);
  }

  /**
   * Remembers tokens in a table.
   *
   * @param table its name, with a schema and a dot before it if it is in another one
   * @throws BadRequestException if the name has characters other than lower-case letters, digits
   *     and underscores
   */
  public JdbcFencing(String table) {
    if (!TABLE.matcher(table).matches()) {
      throw new BadRequestException(
          "The name of a table must be lower-case letters, digits and underscores, with a schema and a dot before it or not, but is: "
              + table);
    }
    this.table = table;
  }

  /**
   * Makes the table if it is not there. Call it when the application is set up: some databases
   * commit the transaction in progress.
   */
  public void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(FenceTable.of(connection).create(table));
    }
  }

  /**
   * Lets the holder of a lock go on with its transaction, or refuses it. Call it before the
   * transaction reads or writes anything else. Writes after it are committed only together with the
   * raised mark. Until the transaction ends, others that call this for the same lock wait for it.
   * So once a newer holder was let in, no older one is.
   *
   * <p>An exclusive holder is refused if an exclusive one with a greater token was let in before,
   * or a shared one with a token that is not smaller; a shared holder is refused if an exclusive
   * one with a greater token was let in.
   *
   * @param connection in a transaction; autocommit must be off
   * @throws StaleTokenException if the token is refused; nothing is changed then
   * @throws BadRequestException if the connection is in autocommit mode, or leads to another kind
   *     of database
   * @throws SQLException if the database refuses the statement, such as because of a deadlock or of
   *     a change by a concurrent transaction: roll back and repeat the transaction
   */
  public void admit(Connection connection, Sequencer sequencer) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new BadRequestException(
          "The token of the lock \"%s\" must be checked in the transaction that writes: call setAutoCommit(false) first."
              .formatted(sequencer.name()));
    }
    Optional<FenceTable.Marks> refused =
        FenceTable.of(connection).raiseOrRefuse(connection, table, sequencer);
    if (refused.isPresent()) {
      throw new StaleTokenException(
          "A transaction with the token %s for the lock \"%s\" (%s) was refused: the table %s has seen the token %s of an exclusive holder and %s of a shared one. The lock has passed on; roll back, and stop what relies on it."
              .formatted(
                  sequencer.token(),
                  sequencer.name(),
                  sequencer.mode(),
                  table,
                  refused.get().exclusive(),
                  refused.get().shared()));
    }
  }
}
