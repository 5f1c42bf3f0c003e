package io.holdfast.jdbc;

import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.tck.format.StoredFormatTck;
import io.holdfast.tck.format.StoredState;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.io.TempDir;

/** What lies in a lock file of SQLite. */
class SqliteFormatTest extends StoredFormatTck {

  @TempDir private Path directory;

  SqliteFormatTest() {
    super("sqlite", QueueTextDialect.PROTOCOL);
  }

  @Override
  protected StoredState openState() throws SQLException {
    SqlState state = new SqlState("jdbc:sqlite:" + directory.resolve("locks.db"), "");
    state.clear();
    return state;
  }
}
