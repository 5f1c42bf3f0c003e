package io.holdfast.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connection as a pool gets to see it. All that a pool asks is answered from here, without asking
 * the database: it is as we have made it, and a call over it must not cost a second round trip, nor
 * wait for the pool's. Its user {@linkplain Connection#unwrap unwraps} the {@link Link}.
 */
final class PoolMember implements InvocationHandler {

  private final Link link;
  private final OwnThreads threads;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PoolMember(Link link, OwnThreads threads) {
    this.link = link;
    this.threads = threads;
  }

  static Connection of(Link link, OwnThreads threads) {
    return (Connection)
        Proxy.newProxyInstance(
            PoolMember.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new PoolMember(link, threads));
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
      case "unwrap" -> link;
      case "close" -> {
        if (closed.compareAndSet(false, true)) {
          threads.letGo(link);
        }
        yield null;
      }
      case "abort" -> {
        link.abort();
        yield null;
      }
      case "toString" -> "a connection of " + threads.name();
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> given != null && given[0] == proxy;
      default -> throw new SQLFeatureNotSupportedException(method.getName());
    };
  }
}
