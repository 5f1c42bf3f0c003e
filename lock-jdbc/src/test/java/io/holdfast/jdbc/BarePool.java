package io.holdfast.jdbc;

import static java.lang.reflect.Proxy.newProxyInstance;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool that hands its connections on exactly as they were given back, and whose connections' own
 * metadata lead past it, as those of Tomcat's pool and Agroal do.
 */
public final class BarePool implements DataSource, AutoCloseable {

  private final BlockingQueue<Connection> idle = new LinkedBlockingQueue<>();
  private final List<Connection> all = new ArrayList<>();

  /** Makes a connection, and does something with it before it is in the pool. */
  @FunctionalInterface
  public interface Maker {
    Connection make(int number) throws SQLException;
  }

  public BarePool(int size, Maker maker) throws SQLException {
    for (int i = 0; i < size; i++) {
      Connection connection = maker.make(i);
      all.add(connection);
      idle.add(connection);
    }
  }

  /** Returns how many are lent. */
  public int lent() {
    return all.size() - idle.size();
  }

  /** Returns the connections, which are all in the pool. */
  public List<Connection> connections() {
    if (lent() != 0) {
      throw new IllegalStateException(lent() + " connections are lent.");
    }
    return all;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = idle.poll();
    if (connection == null) {
      throw new SQLException("The pool is empty.");
    }
    return (Connection)
        newProxyInstance(
            BarePool.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                idle.add(connection);
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("Not a wrapper.");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : all) {
      connection.close();
    }
  }
}
