package io.holdfast.jdbc.sqlite;

import io.holdfast.jdbc.database.Machine;
import io.holdfast.jdbc.database.TablePrefix;
import io.holdfast.jdbc.file.FileEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The settings of a lock file. Some of them only tests change.
 *
 * @param prefix what the names of the tables begin with
 * @param incarnation identifies the machine's uptime, within which times can be compared
 * @param fileSystem tells the type of the file system on which a path lies
 * @param idle how long a free record or a lapsed session is kept
 * @param pragmas what to execute on every new connection
 * @param onStatement called with every statement of a verb before it is executed
 * @param events what the system tells of changes of the file
 */
public record SqliteSettings(
    String prefix,
    String incarnation,
    Function<Path, String> fileSystem,
    Duration idle,
    List<String> pragmas,
    Consumer<String> onStatement,
    Events events) {

  /** Begins to tell of changes of a file; empty where nothing does. */
  @FunctionalInterface
  public interface Events {
    Optional<FileEvents> of(Path file);
  }

  public SqliteSettings {
    pragmas = List.copyOf(pragmas);
  }

  public static SqliteSettings standard() {
    return new SqliteSettings(
        TablePrefix.USUAL,
        Machine.BOOT_ID,
        SqliteSettings::fileSystemType,
        Duration.ofDays(1),
        List.of(),
        text -> {},
        FileEvents::of);
  }

  private static String fileSystemType(Path path) {
    try {
      return Files.getFileStore(path).type();
    } catch (IOException e) {
      // The obstacle will be found, and told better, when the file is opened.
      return "unknown";
    }
  }

  public SqliteSettings prefix(String other) {
    return new SqliteSettings(other, incarnation, fileSystem, idle, pragmas, onStatement, events);
  }

  public SqliteSettings incarnation(String other) {
    return new SqliteSettings(prefix, other, fileSystem, idle, pragmas, onStatement, events);
  }

  public SqliteSettings fileSystem(Function<Path, String> other) {
    return new SqliteSettings(prefix, incarnation, other, idle, pragmas, onStatement, events);
  }

  public SqliteSettings idle(Duration other) {
    return new SqliteSettings(prefix, incarnation, fileSystem, other, pragmas, onStatement, events);
  }

  public SqliteSettings pragmas(String... other) {
    return new SqliteSettings(
        prefix, incarnation, fileSystem, idle, List.of(other), onStatement, events);
  }

  public SqliteSettings onStatement(Consumer<String> other) {
    return new SqliteSettings(prefix, incarnation, fileSystem, idle, pragmas, other, events);
  }

  public SqliteSettings events(Events other) {
    return new SqliteSettings(prefix, incarnation, fileSystem, idle, pragmas, onStatement, other);
  }
}
