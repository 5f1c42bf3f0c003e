package io.holdfast.jdbc.rules;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts the statements that are prepared on connections, and those of them that are open. */
final class Counted {

  final AtomicInteger prepared = new AtomicInteger();
  final AtomicInteger open = new AtomicInteger();

  /** Returns a connection whose statements are counted, also by those who ask its metadata. */
  Connection connection(Connection connection) {
    Connection[] counted = new Connection[1];
    counted[0] =
        proxy(
            Connection.class,
            (proxy, method, given) ->
                switch (method.getName()) {
                  case "prepareStatement" ->
                      statement(
                          requireNonNull((PreparedStatement) call(connection, method, given)));
                  case "getMetaData" ->
                      proxy(
                          DatabaseMetaData.class,
                          (inner, asked, of) ->
                              asked.getName().equals("getConnection")
                                  ? counted[0]
                                  : call(connection.getMetaData(), asked, of));
                  default -> call(connection, method, given);
                });
    return counted[0];
  }

  private PreparedStatement statement(PreparedStatement statement) {
    prepared.incrementAndGet();
    open.incrementAndGet();
    return proxy(
        PreparedStatement.class,
        (proxy, method, given) -> {
          if (method.getName().equals("close") && !statement.isClosed()) {
            open.decrementAndGet();
          }
          return call(statement, method, given);
        });
  }

  private static @Nullable Object call(
      Object on, Method method, @Nullable Object @Nullable [] given) throws Throwable {
    try {
      return method.invoke(on, given);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
