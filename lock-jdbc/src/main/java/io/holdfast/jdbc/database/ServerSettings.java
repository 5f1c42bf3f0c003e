package io.holdfast.jdbc.database;

import io.holdfast.jdbc.pools.PoolSettings;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The settings of locks in a server's database. Some of them only tests change.
 *
 * @param prefix the prefix of the names of the tables
 * @param idle how long a free record or a lapsed session is kept
 * @param pools the settings of the connection pools
 * @param onStatement called with every statement of a verb before it is executed
 */
public record ServerSettings(
    String prefix, Duration idle, PoolSettings pools, Consumer<String> onStatement) {

  public static ServerSettings standard() {
    return new ServerSettings(
        TablePrefix.USUAL, Duration.ofDays(1), PoolSettings.standard(), text -> {});
  }

  public ServerSettings prefix(String other) {
    return new ServerSettings(other, idle, pools, onStatement);
  }

  public ServerSettings onStatement(Consumer<String> other) {
    return new ServerSettings(prefix, idle, pools, other);
  }

  public ServerSettings idle(Duration other) {
    return new ServerSettings(prefix, other, pools, onStatement);
  }

  public ServerSettings pools(PoolSettings other) {
    return new ServerSettings(prefix, idle, other, onStatement);
  }
}
