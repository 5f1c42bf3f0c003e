package io.holdfast.etcd;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A prefix of its own in a cluster.
 *
 * @param address the cluster with the prefix
 * @param restart starts the cluster again
 */
record EtcdTckStore(String address, Runnable restart)
    implements TckStore, RestartControl, StepControl {

  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(30);

  static EtcdTckStore in(String members, Runnable restart) {
    return new EtcdTckStore("etcd://%s/tck/%s".formatted(members, UUID.randomUUID()), restart);
  }

  @Override
  public LockBackend connect(BackendOptions options) {
    return connect(options, () -> {});
  }

  @Override
  public LockBackend connect(BackendOptions options, Runnable beforeStep) {
    return EtcdLockProvider.connect(address, options, beforeStep, Deadline.in(CONNECTED_WITHIN));
  }

  @Override
  public Optional<String> uri() {
    return Optional.of(address);
  }

  /** No TTL is below two seconds here, and etcd looks twice in a second for what has lapsed. */
  @Override
  public Duration endsLate() {
    return Duration.ofSeconds(4);
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
