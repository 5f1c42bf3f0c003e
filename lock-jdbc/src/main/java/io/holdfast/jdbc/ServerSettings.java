package io.holdfast.jdbc;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What could be otherwise about locks in the database of a server; the tests make use of it.
 *
 * @param prefix what the names of the tables begin with
 * @param idle how long a free record or a lapsed session is kept
 * @param pools of connections
 * @param onStatement is told every statement of a verb before it is executed
 */
record ServerSettings(
    String prefix, Duration idle, PoolSettings pools, Consumer<String> onStatement) {

  static ServerSettings standard() {
    return new ServerSettings(
        TablePrefix.USUAL, Duration.ofDays(1), PoolSettings.standard(), text -> {});
  }

  ServerSettings prefix(String other) {
    return new ServerSettings(other, idle, pools, onStatement);
  }

  ServerSettings onStatement(Consumer<String> other) {
    return new ServerSettings(prefix, idle, pools, other);
  }

  ServerSettings idle(Duration other) {
    return new ServerSettings(prefix, other, pools, onStatement);
  }

  ServerSettings pools(PoolSettings other) {
    return new ServerSettings(prefix, idle, other, onStatement);
  }
}
