package io.holdfast.etcd;

import io.etcd.jetcd.Client;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The jetcd client in use: the application's, or our own. Ours is replaced when nothing was
 * answered while a call waited in vain, because its connections may have fallen silent; and after
 * the cluster could not be reached for some seconds, because gRPC waits longer and longer before it
 * tries again, up to minutes. Thread-safe.
 */
final class Clients implements AutoCloseable {

  private static final long REPLACED_AFTER_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long SILENT_AFTER_NANOS = Duration.ofMillis(500).toNanos();
  private static final Duration CLOSED_WITHIN = Duration.ofSeconds(5);

  private final @Nullable Supplier<Client> maker;
  private final LongSupplier nanos;
  private volatile Client current;

  /** When the present client was made, or was last answered. */
  private volatile long goodNanos;

  private volatile boolean closed;

  private Clients(@Nullable Supplier<Client> maker, Client first, LongSupplier nanos) {
    this.maker = maker;
    this.current = first;
    this.nanos = nanos;
    this.goodNanos = nanos.getAsLong();
  }

  /** An application's client, which is never closed here. */
  static Clients borrowed(Client client) {
    return new Clients(null, client, System::nanoTime);
  }

  /** Clients of our own. */
  static Clients owned(Supplier<Client> maker) {
    return owned(maker, System::nanoTime);
  }

  static Clients owned(Supplier<Client> maker, LongSupplier nanos) {
    return new Clients(maker, maker.get(), nanos);
  }

  Client current() {
    return current;
  }

  boolean isClosed() {
    return closed;
  }

  /** A server has answered, whatever it said. */
  void answered() {
    goodNanos = nanos.getAsLong();
  }

  /** No server could be reached. */
  void unreachable() {
    replaceAfter(REPLACED_AFTER_NANOS);
  }

  /** A call was not answered in the time that it had, in nanoseconds. */
  void silent(long timeNanos) {
    replaceAfter(Math.max(SILENT_AFTER_NANOS, timeNanos));
  }

  private void replaceAfter(long badNanos) {
    if (maker == null || isGood(badNanos)) {
      return;
    }
    Client old;
    synchronized (this) {
      if (closed || isGood(badNanos)) {
        return;
      }
      old = current;
      current = maker.get();
      goodNanos = nanos.getAsLong();
    }
    closing(old);
  }

  private boolean isGood(long badNanos) {
    return nanos.getAsLong() - goodNanos < badNanos;
  }

  @Override
  public void close() {
    Client last;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      last = current;
    }
    if (maker == null) {
      return;
    }
    try {
      closing(last).join(CLOSED_WITHIN.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** On a thread of its own, since nobody knows how long jetcd takes. */
  private static Thread closing(Client client) {
    Thread thread = new Thread(client::close, "holdfast-etcd-close");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
