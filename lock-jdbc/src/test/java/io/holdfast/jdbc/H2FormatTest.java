package io.holdfast.jdbc;

import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.tck.format.StoredFormatTck;
import io.holdfast.tck.format.StoredState;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.io.TempDir;

/** What lies in the tables of H2. */
class H2FormatTest extends StoredFormatTck {

  @TempDir private Path directory;

  H2FormatTest() {
    super("h2", QueueTextDialect.PROTOCOL);
  }

  @Override
  protected StoredState openState() throws SQLException {
    SqlState state =
        new SqlState(
            "jdbc:h2:async:%s;AUTO_SERVER=TRUE".formatted(directory.resolve("locks")), "sa");
    state.clear();
    return state;
  }
}
