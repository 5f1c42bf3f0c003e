package io.holdfast.jdbc.pools;

import static java.lang.reflect.Proxy.newProxyInstance;

import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.RestorableConnection;
import java.lang.reflect.InvocationHandler;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** A database that is nowhere, for tests of what gets connections and lends them. */
final class FakeDatabase {

  private FakeDatabase() {}

  /** Makes one that is connected to so. */
  static Database connectedBy(Supplier<DatabaseConnection> connect) {
    return as(
        Database.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "open" -> connect.get();
              case "isStale", "isKnownStale" -> false;
              case "describe" -> "nowhere";
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  /** Makes a connection that answers, or does not. */
  static DatabaseConnection connection(boolean answers, AtomicBoolean closed) {
    Connection connection =
        as(
            Connection.class,
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isValid" -> answers;
                  case "abort" -> null;
                  case "close" -> {
                    closed.set(true);
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
    return new DatabaseConnection(
        RestorableConnection.ours(connection),
        connectedBy(() -> connection(true, closed)),
        "origin");
  }

  private static <T> T as(Class<T> type, InvocationHandler handler) {
    return type.cast(
        newProxyInstance(FakeDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
