package io.holdfast.etcd.connection;

import io.etcd.jetcd.Watch;
import io.holdfast.spi.Deadline;
import java.util.function.Function;

/** The connection to a cluster. Thread-safe. */
public final class ClusterConnection implements AutoCloseable {

  private final ReplaceableClient client;
  private final String name;
  private final Runnable beforeCall;

  /**
   * Takes over a client.
   *
   * @param name the name of the cluster for messages
   * @param beforeCall run before each call of a verb
   */
  public ClusterConnection(ReplaceableClient client, String name, Runnable beforeCall) {
    this.client = client;
    this.name = name;
    this.beforeCall = beforeCall;
  }

  public String name() {
    return name;
  }

  ReplaceableClient client() {
    return client;
  }

  /** Runs a verb. */
  public <T> T verb(Deadline deadline, Function<EtcdCalls, T> body) {
    EtcdCalls calls = new EtcdCalls(this, deadline);
    try {
      return body.apply(calls);
    } catch (RuntimeException e) {
      throw calls.halfway(e);
    }
  }

  void beforeCall() {
    beforeCall.run();
  }

  public Watch watch() {
    return client.current().getWatchClient();
  }

  @Override
  public void close() {
    client.close();
  }
}
