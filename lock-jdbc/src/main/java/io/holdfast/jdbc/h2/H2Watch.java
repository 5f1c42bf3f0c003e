package io.holdfast.jdbc.h2;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.ChangeSource.Watch;
import io.holdfast.jdbc.file.FileEvents;
import io.holdfast.jdbc.file.FileWatch;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.h2.store.fs.FilePath;

/**
 * Sees that a process has committed to a file. H2 writes each commit to the file before it answers,
 * and counts no commits for others. So each write that the system tells of is worth a look.
 */
final class H2Watch {

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** Of the database, without the end of its file's name; there may be H2's schemes before it. */
  private static final String PATH = "SELECT DATABASE_PATH()";

  private static final String FILE_END = ".mv.db";

  private H2Watch() {}

  static Watch of(DatabaseConnection own, H2Database database) throws SQLException {
    String path = own.read(PATH, Map.of(), row -> row.getString(1)).get(0);
    Path file = Path.of(FilePath.get(path).unwrap() + FILE_END);
    Optional<FileEvents> events = FileEvents.of(file);
    if (events.isEmpty()) {
      throw new BackendUnusableException(
          "The system does not tell of writes to the file %s of %s."
              .formatted(file, database.describe()));
    }
    return new FileWatch(() -> true, events, LONGEST_PAUSE);
  }
}
