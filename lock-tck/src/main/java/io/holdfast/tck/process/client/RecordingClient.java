package io.holdfast.tck.process.client;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionState;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.tck.history.ClientTag;
import io.holdfast.tck.history.HistoryEvent.ClientClosed;
import io.holdfast.tck.history.HistoryEvent.ClientClosing;
import io.holdfast.tck.history.HistoryEvent.Failed;
import io.holdfast.tck.history.HistoryEvent.Granted;
import io.holdfast.tck.history.HistoryEvent.Requested;
import io.holdfast.tck.history.HistoryEvent.SessionExpired;
import io.holdfast.tck.history.HistoryEvent.SessionOpened;
import io.holdfast.tck.history.HistoryEvent.TimedOut;
import io.holdfast.tck.history.HistoryWriter;
import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.history.Span;
import io.holdfast.tck.history.Wanted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** A client that writes down the calls to it and its answers. Thread-safe. */
public final class RecordingClient implements AutoCloseable {

  private final ClientTag tag;
  private final LockClient client;
  private final HistoryWriter history;
  private final Registers registers;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RecordingClient(
      ClientTag tag, LockClient client, HistoryWriter history, Registers registers) {
    this.tag = tag;
    this.client = client;
    this.history = history;
    this.registers = registers;
  }

  public static RecordingClient connect(
      ClientTag tag,
      Function<ClientSettings, LockClient> source,
      Duration ttl,
      HistoryWriter history,
      Registers registers) {
    ClientSettings settings =
        new ClientSettings(
            new ProcessIdentity(tag.toString()), ttl, event -> record(event, tag, history));
    return new RecordingClient(tag, source.apply(settings), history, registers);
  }

  public ClientTag tag() {
    return tag;
  }

  /**
   * Acquires a lock; empty if that failed in a way that an application has to expect.
   *
   * @param request sent along as the reason, so that the place in the queue can be recognised
   * @param maxWait empty to wait for ever
   */
  public Optional<RecordedGrant> acquire(
      RequestTag request, String lock, Optional<Duration> maxWait, Wanted wanted) {
    AcquireOptions waiting =
        maxWait
            .map(AcquireOptions::within)
            .orElse(AcquireOptions.forever())
            .why(request.toString());
    AcquireOptions options = wanted.addTo(waiting);
    history.record(new Requested(request, System.nanoTime(), lock, maxWait, wanted));
    try {
      Grant grant = client.lock(lock).acquire(options);
      history.record(new Granted(request, System.nanoTime(), grant.token()));
      return Optional.of(new RecordedGrant(request, grant, history, registers.of(lock)));
    } catch (LockTimeoutException e) {
      history.record(new TimedOut(request, System.nanoTime()));
    } catch (LockInterruptedException | ClientClosedException | BackendUnreachableException e) {
      failed(request, e);
    } catch (RuntimeException e) {
      failed(request, e);
      throw e;
    }
    return Optional.empty();
  }

  /** Closes the client, even if threads still use it; does nothing if that was done. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long before = System.nanoTime();
    history.record(new ClientClosing(tag, before));
    client.close();
    history.record(new ClientClosed(tag, Span.since(before)));
  }

  private void failed(RequestTag request, RuntimeException failure) {
    history.record(new Failed(request, System.nanoTime(), failure.getClass().getSimpleName()));
  }

  private static void record(LockEvent event, ClientTag tag, HistoryWriter history) {
    if (event instanceof LockEvent.SessionOpened opened) {
      history.record(new SessionOpened(tag, System.nanoTime(), opened.session()));
    } else if (event instanceof LockEvent.SessionStateChanged change
        && change.to() == SessionState.EXPIRED) {
      history.record(new SessionExpired(tag, System.nanoTime(), change.session()));
    }
  }
}
