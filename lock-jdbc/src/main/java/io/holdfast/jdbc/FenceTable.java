package io.holdfast.jdbc;

import io.holdfast.LockMode;
import io.holdfast.Sequencer;
import io.holdfast.error.BadRequestException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a kind of database spells what {@link JdbcFencing} does with its table.
 *
 * @param products the names that drivers give such databases
 * @param ddl makes the table
 * @param raiseExclusive raises the mark of those who hold alone if the token is not stale; a new
 *     row has 0 as its other mark. Its parameters are the name and the token
 * @param raiseShared the same for those who share
 * @param countTells whether it changes no row exactly if the token is stale
 * @param lock ends a query of a row that must not change until the transaction ends
 */
record FenceTable(
    List<String> products,
    String ddl,
    String raiseExclusive,
    String raiseShared,
    boolean countTells,
    String lock) {

  private static final String DDL =
      """
      CREATE TABLE IF NOT EXISTS {table} (
        name            %s NOT NULL PRIMARY KEY,
        exclusive_token BIGINT NOT NULL,
        shared_token    BIGINT NOT NULL
      )""";

  private static final String FOR_UPDATE = " FOR UPDATE";

  private static final String EXCLUSIVE_ON_CONFLICT =
      """
      INSERT INTO {table} AS f (name, exclusive_token, shared_token) VALUES (?, ?, 0)
      ON CONFLICT (name) DO UPDATE SET exclusive_token = excluded.exclusive_token
      WHERE f.exclusive_token <= excluded.exclusive_token
        AND f.shared_token < excluded.exclusive_token""";

  private static final String SHARED_ON_CONFLICT =
      """
      INSERT INTO {table} AS f (name, exclusive_token, shared_token) VALUES (?, 0, ?)
      ON CONFLICT (name) DO UPDATE SET shared_token =
        CASE WHEN f.shared_token < excluded.shared_token
             THEN excluded.shared_token ELSE f.shared_token END
      WHERE f.exclusive_token <= excluded.shared_token""";

  static final FenceTable POSTGRES =
      new FenceTable(
          List.of("PostgreSQL"),
          DDL.formatted("BYTEA"),
          EXCLUSIVE_ON_CONFLICT,
          SHARED_ON_CONFLICT,
          true,
          FOR_UPDATE);

  /** A file has one writer at a time, which a raise makes of its transaction. */
  private static final FenceTable SQLITE =
      new FenceTable(
          List.of("SQLite"),
          DDL.formatted("BLOB"),
          EXCLUSIVE_ON_CONFLICT,
          SHARED_ON_CONFLICT,
          true,
          "");

  /**
   * A row that is set to what it is counts as changed or not, as the connection says: the row is
   * read.
   */
  private static final FenceTable MARIADB =
      new FenceTable(
          List.of("MariaDB", "MySQL"),
          DDL.formatted("VARBINARY(512)") + " ENGINE = InnoDB",
          """
          INSERT INTO {table} (name, exclusive_token, shared_token) VALUES (?, ?, 0)
          ON DUPLICATE KEY UPDATE exclusive_token =
            IF(shared_token < VALUES(exclusive_token),
               GREATEST(exclusive_token, VALUES(exclusive_token)), exclusive_token)""",
          """
          INSERT INTO {table} (name, exclusive_token, shared_token) VALUES (?, 0, ?)
          ON DUPLICATE KEY UPDATE shared_token =
            IF(exclusive_token <= VALUES(shared_token),
               GREATEST(shared_token, VALUES(shared_token)), shared_token)""",
          false,
          FOR_UPDATE);

  private static final FenceTable H2 =
      new FenceTable(
          List.of("H2"),
          DDL.formatted("VARBINARY(512)"),
          """
          MERGE INTO {table} AS f
          USING (SELECT CAST(? AS VARBINARY(512)) AS name, CAST(? AS BIGINT) AS token) AS n
          ON f.name = n.name
          WHEN MATCHED AND f.exclusive_token <= n.token AND f.shared_token < n.token
            THEN UPDATE SET exclusive_token = n.token
          WHEN NOT MATCHED
            THEN INSERT (name, exclusive_token, shared_token) VALUES (n.name, n.token, 0)""",
          """
          MERGE INTO {table} AS f
          USING (SELECT CAST(? AS VARBINARY(512)) AS name, CAST(? AS BIGINT) AS token) AS n
          ON f.name = n.name
          WHEN MATCHED AND f.exclusive_token <= n.token
            THEN UPDATE SET shared_token = GREATEST(f.shared_token, n.token)
          WHEN NOT MATCHED
            THEN INSERT (name, exclusive_token, shared_token) VALUES (n.name, 0, n.token)""",
          true,
          FOR_UPDATE);

  private static final List<FenceTable> ALL = List.of(POSTGRES, MARIADB, SQLITE, H2);

  /** In H2, where a MERGE that lost the race for a new row does not go on with what it finds. */
  private static final String DUPLICATE_KEY = "23505";

  /** The marks on record for a name. */
  record Marks(long exclusive, long shared) {
    static final Marks NONE = new Marks(0, 0);

    /** Returns whether a raise for this sequencer has been carried out. */
    boolean have(Sequencer sequencer) {
      long token = sequencer.token().value();
      return sequencer.mode() == LockMode.EXCLUSIVE
          ? exclusive == token && shared < token
          : exclusive <= token && shared >= token;
    }
  }

  /**
   * Returns the kind of the database that a connection leads to.
   *
   * @throws BadRequestException if it is none of these
   */
  static FenceTable of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return ALL.stream()
        .filter(kind -> kind.products.contains(product))
        .findFirst()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "The connection leads to %s. Fencing tokens can be checked in %s; elsewhere, compare them in your own statement."
                        .formatted(
                            product,
                            ALL.stream()
                                .flatMap(kind -> kind.products.stream())
                                .collect(Collectors.joining(", ")))));
  }

  String create(String table) {
    return in(table, ddl);
  }

  /** Raises a mark, or finds that the token is stale and returns the marks on record. */
  Optional<Marks> raiseOrRefuse(Connection connection, String table, Sequencer sequencer)
      throws SQLException {
    int changed;
    try {
      changed = raise(connection, table, sequencer);
    } catch (SQLException e) {
      if (!DUPLICATE_KEY.equals(e.getSQLState())) {
        throw e;
      }
      changed = raise(connection, table, sequencer);
    }
    if (countTells && changed > 0) {
      return Optional.empty();
    }
    Marks marks = read(connection, table, sequencer);
    return marks.have(sequencer) ? Optional.empty() : Optional.of(marks);
  }

  private int raise(Connection connection, String table, Sequencer sequencer) throws SQLException {
    String raise = sequencer.mode() == LockMode.EXCLUSIVE ? raiseExclusive : raiseShared;
    try (PreparedStatement statement = connection.prepareStatement(in(table, raise))) {
      statement.setBytes(1, sequencer.name().bytes());
      statement.setLong(2, sequencer.token().value());
      return statement.executeUpdate();
    }
  }

  private Marks read(Connection connection, String table, Sequencer sequencer) throws SQLException {
    String query = "SELECT exclusive_token, shared_token FROM {table} WHERE name = ?" + lock;
    try (PreparedStatement statement = connection.prepareStatement(in(table, query))) {
      statement.setBytes(1, sequencer.name().bytes());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? new Marks(row.getLong(1), row.getLong(2)) : Marks.NONE;
      }
    }
  }

  private static String in(String table, String sql) {
    return sql.replace("{table}", table);
  }
}
