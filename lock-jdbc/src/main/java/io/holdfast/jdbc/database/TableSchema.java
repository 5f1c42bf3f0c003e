package io.holdfast.jdbc.database;

import io.holdfast.error.BackendUnusableException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The schema in which a client's tables are. An application may have left its connections in
 * different ones, and the same names mean other tables there, and so other locks.
 */
public final class TableSchema {

  private final String database;
  private final String prefix;
  private final AtomicReference<@Nullable String> first = new AtomicReference<>();

  /**
   * The schema of tables in a database.
   *
   * @param database its name in messages
   * @param prefix what the names of the tables begin with
   */
  public TableSchema(String database, String prefix) {
    this.database = database;
    this.prefix = prefix;
  }

  /** Returns whether the names of the tables say it, wherever a connection leads. */
  public boolean isNamed() {
    return prefix.contains(".");
  }

  /**
   * Checks a connection before it makes tables: those of the first one are the tables of all.
   *
   * @param schema where the tables are for the connection, or would be made
   * @throws BackendUnusableException if that is another schema than for the first connection
   */
  public void require(String schema) {
    if (isNamed()) {
      return;
    }
    @Nullable String expected = first.compareAndExchange(null, schema);
    if (expected != null && !expected.equals(schema)) {
      throw new BackendUnusableException(
          "A connection to %s leads to tables in \"%s\", and the first one led to those in \"%s\": other tables, and so other locks. Have the application's pool leave all connections in the same schema, or name that of the tables in tablePrefix, as \"%s.%s\"."
              .formatted(database, schema, expected, expected, prefix));
    }
  }
}
