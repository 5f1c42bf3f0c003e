package io.holdfast.jdbc;

import java.util.List;
import java.util.function.Consumer;

/** Takes back what was written to the tables, past the library. */
final class LostWrites {

  /** The tables, with the prefix that they have unless told otherwise. */
  static final List<String> NAMES =
      List.of("holdfast_locks", "holdfast_sessions", "holdfast_namespace");

  private LostWrites() {}

  /**
   * Does the last writes and loses them, as the power may do.
   *
   * @param execute executes a statement
   */
  static void lose(Runnable lastWrites, Consumer<String> execute) {
    NAMES.forEach(
        table -> execute.accept("CREATE TABLE kept_%1$s AS SELECT * FROM %1$s".formatted(table)));
    lastWrites.run();
    for (String table : NAMES) {
      execute.accept("DELETE FROM " + table);
      execute.accept("INSERT INTO %1$s SELECT * FROM kept_%1$s".formatted(table));
      execute.accept("DROP TABLE kept_" + table);
    }
  }
}
