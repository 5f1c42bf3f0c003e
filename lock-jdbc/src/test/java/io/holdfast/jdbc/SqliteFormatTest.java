package io.holdfast.jdbc;

import io.holdfast.tck.format.CommonText;
import io.holdfast.tck.format.StoredFormatTck;
import io.holdfast.tck.format.StoredState;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** What lies in a lock file of SQLite. */
class SqliteFormatTest extends StoredFormatTck {

  @TempDir private Path directory;

  SqliteFormatTest() {
    super("sqlite");
  }

  @Override
  protected Map<CommonText, String> commonTexts() {
    return Map.of(CommonText.QUEUE, "queue");
  }

  @Override
  protected StoredState openState() throws SQLException {
    SqlState state = new SqlState("jdbc:sqlite:" + directory.resolve("locks.db"), "");
    state.clear();
    return state;
  }
}
