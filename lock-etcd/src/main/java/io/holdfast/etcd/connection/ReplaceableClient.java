package io.holdfast.etcd.connection;

import io.etcd.jetcd.Client;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jetcd client in use: the application's or our own. Our own is replaced in two cases. Either a
 * call timed out and no other call was answered meanwhile: then its connections may be dead. Or the
 * cluster was unreachable for some seconds: then gRPC waits longer and longer between its attempts
 * to connect, up to minutes. Thread-safe.
 */
public final class ReplaceableClient implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReplaceableClient.class);
  private static final long REPLACED_AFTER_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long SILENT_AFTER_NANOS = Duration.ofMillis(500).toNanos();
  private static final Duration CLOSED_WITHIN = Duration.ofSeconds(5);

  private final @Nullable Supplier<Client> maker;
  private final LongSupplier nanos;
  private volatile Client current;

  /** When the present client was created, last got an answer, or last could not be replaced. */
  private volatile long goodNanos;

  private volatile boolean closed;

  private ReplaceableClient(@Nullable Supplier<Client> maker, Client first, LongSupplier nanos) {
    this.maker = maker;
    this.current = first;
    this.nanos = nanos;
    this.goodNanos = nanos.getAsLong();
  }

  /** Uses a client of the application, which is never closed here. */
  public static ReplaceableClient borrowed(Client client) {
    return new ReplaceableClient(null, client, System::nanoTime);
  }

  /** Creates our own client. */
  public static ReplaceableClient owned(Supplier<Client> maker) {
    return owned(maker, System::nanoTime);
  }

  public static ReplaceableClient owned(Supplier<Client> maker, LongSupplier nanos) {
    return new ReplaceableClient(maker, maker.get(), nanos);
  }

  Client current() {
    return current;
  }

  boolean isClosed() {
    return closed;
  }

  /** Notes that a server has answered, possibly with an error. */
  void answered() {
    goodNanos = nanos.getAsLong();
  }

  /** Notes that no server was reachable. */
  void unreachable() {
    replaceAfter(REPLACED_AFTER_NANOS);
  }

  /** Notes that a call was not answered within its time. */
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
      goodNanos = nanos.getAsLong();
      old = current;
      try {
        current = maker.get();
      } catch (RuntimeException e) {
        // Thrown from here, it would hide that the call whose end this is may have had an effect.
        LOG.warn("The client of etcd cannot be replaced, and is kept for now", e);
        return;
      }
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

  /** Closes a client on a thread of its own, because that may take long. */
  private static Thread closing(Client client) {
    Thread thread = new Thread(client::close, "holdfast-etcd-close");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
