package io.holdfast.jdbc;

import static java.lang.reflect.Proxy.newProxyInstance;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool that hands its connections on exactly as they were given back, and whose connections' own
 * metadata lead past it, as those of Tomcat's pool and Agroal do. One that comes back aborted is
 * replaced.
 */
public final class BarePool implements DataSource, AutoCloseable {

  private static final int PLAYS_MAX = 5;

  private final int size;
  private final Maker maker;
  private final Deque<Connection> idle = new ArrayDeque<>();
  private final List<Connection> all = new ArrayList<>();
  private int made;

  /** Makes a connection, and does something with it before it is in the pool. */
  @FunctionalInterface
  public interface Maker {
    Connection make(int number) throws SQLException;
  }

  /** Something that is done over a pool of its own. */
  @FunctionalInterface
  public interface Play {
    /** Returns whether the pool is intact afterwards. */
    boolean once() throws SQLException;
  }

  public BarePool(int size, Maker maker) throws SQLException {
    this.size = size;
    this.maker = maker;
    for (int i = 0; i < size; i++) {
      add();
    }
  }

  private void add() throws SQLException {
    Connection connection = maker.make(made++);
    all.add(connection);
    idle.add(connection);
  }

  /**
   * Does something until a pool is intact after it. A machine that stands still while a connection
   * goes back may have it aborted.
   */
  public static void untilIntact(Play play) throws SQLException {
    boolean intact = false;
    for (int i = 0; i < PLAYS_MAX && !intact; i++) {
      intact = play.once();
    }
    assertThat(intact).as("once no connection was aborted").isTrue();
  }

  /** Returns whether it has the connections with which it began. */
  public synchronized boolean isIntact() {
    return made == size;
  }

  /** Returns how many are lent. */
  public synchronized int lent() {
    return all.size() - idle.size();
  }

  /** Returns the connections, which are all in the pool. */
  public synchronized List<Connection> connections() {
    if (lent() != 0) {
      throw new IllegalStateException(lent() + " connections are lent.");
    }
    return List.copyOf(all);
  }

  private synchronized void takeBack(Connection connection) throws SQLException {
    if (connection.isClosed()) {
      all.removeIf(each -> each == connection);
      add();
    } else {
      idle.add(connection);
    }
  }

  @Override
  public synchronized Connection getConnection() throws SQLException {
    Connection connection = idle.poll();
    if (connection == null) {
      throw new SQLException("The pool is empty.");
    }
    return (Connection)
        newProxyInstance(
            BarePool.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new Handle(connection));
  }

  /** What is lent. Ends when it is closed: an abort that comes later is not the next user's. */
  private final class Handle implements InvocationHandler {
    private final Connection connection;
    private boolean closed;

    Handle(Connection connection) {
      this.connection = connection;
    }

    @Override
    public @Nullable Object invoke(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      return switch (method.getName()) {
        case "close", "abort" -> end(method, arguments);
        default -> call(method, arguments);
      };
    }

    private synchronized @Nullable Object end(
        Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      if (closed) {
        return null;
      }
      if (method.getName().equals("abort")) {
        return call(method, arguments);
      }
      closed = true;
      takeBack(connection);
      return null;
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments)
        throws Throwable {
      try {
        return method.invoke(connection, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
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
  public synchronized void close() throws SQLException {
    for (Connection connection : all) {
      connection.close();
    }
  }
}
