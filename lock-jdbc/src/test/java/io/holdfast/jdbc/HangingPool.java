package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Gives connections, and from some time on none to the adapter's threads, until it gives again. */
public final class HangingPool extends AbstractDataSource {

  private final String uri;
  private final CountDownLatch gives = new CountDownLatch(1);
  private final AtomicInteger waiting = new AtomicInteger();
  private final Set<Thread> asking = ConcurrentHashMap.newKeySet();
  private volatile boolean hangs;

  public HangingPool(String uri) {
    this.uri = uri;
  }

  public void hang() {
    hangs = true;
  }

  public void giveAgain() {
    hangs = false;
    gives.countDown();
  }

  /** Returns how many threads wait for a connection. */
  public int waiting() {
    return waiting.get();
  }

  /** The threads that have asked for connections. */
  public Set<Thread> asking() {
    return asking;
  }

  @Override
  public Connection getConnection() throws SQLException {
    asking.add(Thread.currentThread());
    if (hangs && Thread.currentThread().getName().startsWith("holdfast-")) {
      waiting.incrementAndGet();
      passThrough();
      waiting.decrementAndGet();
    }
    return DriverManager.getConnection(uri);
  }

  /** Like a pool that heeds no interrupt. */
  private void passThrough() {
    boolean interrupted = false;
    while (true) {
      try {
        gives.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }
}
