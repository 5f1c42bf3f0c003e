package io.holdfast.jdbc.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Gives connections that change the text of each statement that they prepare. */
final class RewritingDataSource {

  private final PGSimpleDataSource real = new PGSimpleDataSource();
  private final UnaryOperator<String> change;
  private final AtomicInteger changed = new AtomicInteger();

  @FunctionalInterface
  private interface Result {
    Object of(Object result);
  }

  RewritingDataSource(String uri, UnaryOperator<String> change) {
    this.real.setUrl(uri);
    this.change = change;
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        real,
        result ->
            result instanceof Connection connection
                ? proxy(Connection.class, connection, unchanged -> unchanged)
                : result);
  }

  /** Returns how often a statement was prepared that was changed. */
  int changed() {
    return changed.get();
  }

  private String rewritten(String text) {
    String rewritten = change.apply(text);
    if (!rewritten.equals(text)) {
      changed.incrementAndGet();
    }
    return rewritten;
  }

  private <T> T proxy(Class<T> type, T target, Result results) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> {
              if (method.getName().equals("prepareStatement")) {
                given[0] = rewritten((String) given[0]);
              }
              try {
                return results.of(method.invoke(target, given));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
