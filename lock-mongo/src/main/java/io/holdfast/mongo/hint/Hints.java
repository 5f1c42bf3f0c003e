package io.holdfast.mongo.hint;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.connection.Connection;
import io.holdfast.mongo.connection.MongoErrors;
import io.holdfast.mongo.hint.HintCommands.HandOver;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The hints of one client. One change stream serves all of its sessions that wait, as long as any
 * session waits. For another session a new stream is opened before the old one is stopped, so no
 * change is missed in between. Thread-safe.
 */
public final class Hints implements AutoCloseable {

  private static final long CLOSE_MILLIS_MAX = 2_000;

  /**
   * The codes of a server without change streams: no code, not in this database, not supported, no
   * reading of what a majority has, no such stage, not a replica set.
   */
  private static final Set<Integer> NO_CHANGE_STREAMS = Set.of(-1, 73, 115, 148, 40324, 40573);

  private final Connection connection;
  private final MongoErrors errors;
  private final Map<SessionId, HintListener> listeners = new ConcurrentHashMap<>();
  private final List<ChangeStream> streams = new ArrayList<>();
  private boolean closed;

  public Hints(Connection connection, MongoErrors errors) {
    this.connection = connection;
    this.errors = errors;
  }

  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    listeners.put(session, listener);
    try {
      if (!isCovered(session)) {
        ChangeStream opened = open(deadline);
        if (!begin(opened)) {
          opened.stop();
          throw new BackendFailure(
              Effect.NONE, "The connection to %s was closed.".formatted(errors.where()), null);
        }
      }
    } catch (RuntimeException | Error e) {
      leave(session, listener);
      throw e;
    }
    return () -> leave(session, listener);
  }

  private synchronized boolean isCovered(SessionId session) {
    return streams.stream().anyMatch(stream -> stream.sessions().contains(session));
  }

  private ChangeStream open(Deadline deadline) {
    try {
      return ChangeStream.open(
          connection,
          Set.copyOf(listeners.keySet()),
          Math.max(2, deadline.remainingMillis()),
          errors.where(),
          this::tell,
          this::ended);
    } catch (MongoException | IllegalStateException e) {
      if (e instanceof MongoCommandException refused
          && NO_CHANGE_STREAMS.contains(refused.getCode())) {
        throw new BackendUnusableException(
            "%s has no change streams (%s).".formatted(errors.where(), e.getMessage()), e);
      }
      throw errors.failure(e, Effect.NONE);
    }
  }

  private synchronized boolean begin(ChangeStream opened) {
    if (closed) {
      return false;
    }
    try {
      opened.start(); // First: where there is no thread for it, the others go on.
    } catch (Error e) {
      opened.stop();
      throw e;
    }
    streams.add(opened);
    stopUnneeded();
    return true;
  }

  private synchronized void leave(SessionId session, HintListener listener) {
    listeners.remove(session, listener);
    stopUnneeded();
  }

  /** Stops those whose sessions have all left, or are served by another; the oldest first. */
  private void stopUnneeded() {
    for (ChangeStream stream : List.copyOf(streams)) {
      if (stream.sessions().stream().noneMatch(session -> relies(session, stream))) {
        stop(stream);
      }
    }
  }

  private boolean relies(SessionId session, ChangeStream on) {
    return listeners.containsKey(session)
        && streams.stream().noneMatch(other -> other != on && other.sessions().contains(session));
  }

  private synchronized void stop(ChangeStream stream) {
    streams.remove(stream);
    stream.stop();
  }

  private void tell(HandOver handOver) {
    handOver
        .holders()
        .ifPresentOrElse(
            holders -> holders.forEach(session -> tell(listeners.get(session), handOver)),
            () -> listeners.values().forEach(each -> tell(each, handOver)));
  }

  private static void tell(@Nullable HintListener listener, HandOver handOver) {
    if (listener != null) {
      listener.accept(handOver.name());
    }
  }

  /**
   * Tells the listeners that no hints come any more. A stream that was stopped here is not in the
   * list, and no listener relies on it.
   */
  private void ended(ChangeStream stream) {
    synchronized (this) {
      if (!streams.remove(stream)) {
        return;
      }
    }
    for (SessionId session : stream.sessions()) {
      HintListener listener = isCovered(session) ? null : listeners.remove(session);
      if (listener != null) {
        listener.ended();
      }
    }
  }

  @Override
  public void close() {
    List<ChangeStream> stopped;
    synchronized (this) {
      closed = true;
      stopped = List.copyOf(streams);
      stopped.forEach(this::stop);
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS_MAX);
    try {
      for (ChangeStream stream : stopped) {
        stream.await(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
