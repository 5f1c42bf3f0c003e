package io.holdfast.zookeeper;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.zookeeper.SharedLine.Wanted;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.zookeeper.ZooKeeper;

/** Lines over a client of the application's, which has one session for all. */
final class SharedLines implements Lines {

  private final Callable<ZooKeeper> client;
  private final String name;
  private volatile boolean closed;

  /**
   * Takes what returns the client at present: an application may replace it.
   *
   * @param name how it is called in messages
   */
  SharedLines(Callable<ZooKeeper> client, String name) {
    this.client = client;
    this.name = name;
  }

  String name() {
    return name;
  }

  ZooKeeper client() {
    try {
      return client.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(e);
    } catch (Exception e) {
      throw failure(e);
    }
  }

  private BackendFailure failure(Exception cause) {
    return new BackendFailure(
        Effect.NONE, "%s has no connection: %s".formatted(name, cause), cause);
  }

  @Override
  public Line ofNobody() {
    return new SharedLine(this, Wanted.ANY, 0);
  }

  @Override
  public Line ofNewSession(Duration timeout) {
    return new SharedLine(this, Wanted.THE_FIRST, 0);
  }

  @Override
  public Line ofSession(SessionRef session, Duration timeout) {
    return new SharedLine(this, Wanted.THAT, session.owner());
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
