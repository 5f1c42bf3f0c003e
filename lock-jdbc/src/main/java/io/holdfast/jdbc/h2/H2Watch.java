package io.holdfast.jdbc.h2;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.ChangeSource.Watch;
import io.holdfast.jdbc.file.FileEvents;
import io.holdfast.jdbc.file.FileWatch;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Sees that a process has committed to a file. H2 writes each commit to the file before it answers,
 * and counts no commits for others. So each write that the system tells of is worth a look.
 */
final class H2Watch {

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** Of the database, without the end of its file's name; there may be a scheme before it. */
  private static final String PATH = "SELECT DATABASE_PATH()";

  private static final String FILE_END = ".mv.db";

  private H2Watch() {}

  static Watch of(DatabaseConnection own, H2Database database) throws SQLException {
    Path file = file(own.read(PATH, Map.of(), row -> row.getString(1)).get(0));
    Optional<FileEvents> events = FileEvents.of(file);
    if (events.isEmpty()) {
      throw new SQLException(
          "The system tells of no writes to %s of %s.".formatted(file, database.describe()));
    }
    return new FileWatch(() -> true, events, LONGEST_PAUSE);
  }

  private static Path file(String database) {
    return Path.of(database.substring(database.lastIndexOf(':') + 1) + FILE_END);
  }
}
