package io.holdfast.jdbc;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What could be otherwise about locks in PostgreSQL; the tests make use of it.
 *
 * @param prefix what the names of the tables begin with
 * @param idle how long a free record or a lapsed session is kept
 * @param onStatement is told every statement of a verb before it is executed
 */
record PostgresSettings(String prefix, Duration idle, Consumer<String> onStatement) {

  static PostgresSettings standard() {
    return new PostgresSettings("holdfast_", Duration.ofDays(1), text -> {});
  }

  PostgresSettings onStatement(Consumer<String> other) {
    return new PostgresSettings(prefix, idle, other);
  }
}
