package io.holdfast.jdbc.pools;

import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.DatabaseConnection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connection as a pool sees it. It answers all questions of the pool without asking the database:
 * its state is known, and a call over it must not cost a second round trip. Its user {@linkplain
 * Connection#unwrap unwraps} the {@link DatabaseConnection}.
 */
final class PooledConnection implements InvocationHandler {

  private final DatabaseConnection connection;
  private final BackendThreads threads;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PooledConnection(DatabaseConnection connection, BackendThreads threads) {
    this.connection = connection;
    this.threads = threads;
  }

  static Connection of(DatabaseConnection connection, BackendThreads threads) {
    return (Connection)
        Proxy.newProxyInstance(
            PooledConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new PooledConnection(connection, threads));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
      throws SQLFeatureNotSupportedException {
    return switch (method.getName()) {
      case "isValid", "getAutoCommit", "isWrapperFor" -> true;
      case "isReadOnly" -> false;
      case "isClosed" -> closed.get();
      case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
      case "getNetworkTimeout" -> 0;
      case "setNetworkTimeout", "clearWarnings" -> null;
      case "unwrap" -> connection;
      case "close" -> {
        if (closed.compareAndSet(false, true)) {
          threads.giveBack(connection);
        }
        yield null;
      }
      case "abort" -> {
        connection.abort();
        yield null;
      }
      case "toString" -> "a connection of " + threads.name();
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> given != null && given[0] == proxy;
      default -> throw new SQLFeatureNotSupportedException(method.getName());
    };
  }
}
