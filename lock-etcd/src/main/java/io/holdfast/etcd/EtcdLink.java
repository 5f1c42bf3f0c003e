package io.holdfast.etcd;

import io.etcd.jetcd.Watch;
import io.holdfast.spi.Deadline;
import java.util.function.Function;

/** The way to a cluster. Thread-safe. */
final class EtcdLink implements AutoCloseable {

  private final Clients clients;
  private final String name;
  private final Runnable beforeStep;

  /**
   * Takes over clients.
   *
   * @param name how the cluster is called in messages
   * @param beforeStep is run before each request of a verb
   */
  EtcdLink(Clients clients, String name, Runnable beforeStep) {
    this.clients = clients;
    this.name = name;
    this.beforeStep = beforeStep;
  }

  String name() {
    return name;
  }

  Clients clients() {
    return clients;
  }

  /** Does a verb. */
  <T> T verb(Deadline deadline, Function<Steps, T> body) {
    Steps steps = new Steps(this, deadline);
    try {
      return body.apply(steps);
    } catch (RuntimeException e) {
      throw steps.halfway(e);
    }
  }

  void beforeStep() {
    beforeStep.run();
  }

  Watch watch() {
    return clients.current().getWatchClient();
  }

  @Override
  public void close() {
    clients.close();
  }
}
