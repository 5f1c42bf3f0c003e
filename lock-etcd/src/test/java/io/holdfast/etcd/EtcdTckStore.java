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

/** A prefix of its own in a cluster. */
public class EtcdTckStore implements TckStore, RestartControl, StepControl {

  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(30);

  private final String prefix = "/tck/" + UUID.randomUUID();
  private final String members;
  private final Runnable restart;

  /**
   * Makes one.
   *
   * @param restart starts the cluster again
   */
  public EtcdTckStore(String members, Runnable restart) {
    this.members = members;
    this.restart = restart;
  }

  @Override
  public LockBackend connect(BackendOptions options) {
    return connect(options, () -> {});
  }

  @Override
  public LockBackend connect(BackendOptions options, Runnable beforeStep) {
    return connect(uri(members), options, beforeStep);
  }

  protected LockBackend connect(String uri, BackendOptions options, Runnable beforeStep) {
    return EtcdLockProvider.connect(uri, options, beforeStep, Deadline.in(CONNECTED_WITHIN));
  }

  /** Returns how this namespace is reached over other addresses than the members' own. */
  protected String uri(String addresses) {
    return "etcd://" + addresses + prefix;
  }

  @Override
  public Optional<String> uri() {
    return Optional.of(uri(members));
  }

  /** No TTL is below one or two seconds, and etcd looks twice in a second for what has lapsed. */
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
