package io.holdfast.zookeeper;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** A path of its own in an ensemble. */
class ZooTckStore implements TckStore, RestartControl, StepControl {

  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(30);

  private final String path = "/tck/" + UUID.randomUUID();
  private final String members;
  private final Runnable restart;

  /**
   * Makes one.
   *
   * @param restart starts the ensemble again
   */
  ZooTckStore(String members, Runnable restart) {
    this.members = members;
    this.restart = restart;
  }

  /** Returns the URI of the same path over other addresses. */
  final String uriOver(String addresses) {
    return "zookeeper://%s%s?tickTime=%d".formatted(addresses, path, ZooServer.TICK.toMillis());
  }

  @Override
  public LockBackend connect(BackendOptions options) {
    return connect(options, () -> {});
  }

  @Override
  public final LockBackend connect(BackendOptions options, Runnable beforeStep) {
    return connect(members, options, beforeStep);
  }

  /** Connects to these of the members. */
  LockBackend connect(String addresses, BackendOptions options, Runnable beforeStep) {
    return ZookeeperLockProvider.connect(
        uriOver(addresses), options, beforeStep, Deadline.in(CONNECTED_WITHIN));
  }

  @Override
  public Optional<String> uri() {
    return Optional.of(uriOver(members));
  }

  /** No timeout is below eight ticks, and it takes another until the server looks. */
  @Override
  public Duration endsLate() {
    return Duration.ofSeconds(3);
  }

  @Override
  public void restartLosingNothing() {
    restart.run();
  }

  @Override
  public void close() {
    // The server goes with the tests.
  }
}
