package io.holdfast.etcd.queue;

import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchEvent.EventType;
import io.etcd.jetcd.watch.WatchResponse;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.etcd.connection.ClusterConnection;
import io.holdfast.etcd.format.Keys;
import io.holdfast.record.RequestId;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Watching;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Hints for waiters: a request watches a key of its predecessor in the queue, and gets a hint when
 * that key is written to or deleted. The watch begins at the revision at which the key was last
 * read, so no change is missed. A watch serves once; the next look of a waiter begins another.
 * Thread-safe.
 */
public final class Watches implements AutoCloseable {

  /** jetcd opens a stream for each watch. A waiter without a watch looks with its heartbeats. */
  static final int WATCHES_MAX = 64;

  /** Of locks that clients watch, each with two streams. One without them is polled. */
  static final int LOCKS_WATCHED_MAX = 32;

  private final ClusterConnection cluster;
  private final Places places;
  private final Set<WatchedLock> locks = new LinkedHashSet<>();
  private final Map<SessionId, HintListener> listeners = new ConcurrentHashMap<>();
  private final Map<RequestId, PredecessorWatch> watched = new ConcurrentHashMap<>();

  public Watches(ClusterConnection cluster, Places places) {
    this.cluster = cluster;
    this.places = places;
  }

  public AutoCloseable listen(SessionId session, HintListener listener) {
    listeners.put(session, listener);
    return () -> stop(session, listener);
  }

  private boolean stop(SessionId session, HintListener listener) {
    boolean was = listeners.remove(session, listener);
    watched.keySet().stream()
        .filter(request -> request.session().equals(session))
        .forEach(this::forget);
    return was;
  }

  /** Begins to watch a lock for a client that does not ask for it. */
  public Watching lock(LockReader reader, Keys keys, LockName name, HintListener hints) {
    return new WatchedLock(cluster, this, reader, keys, name, hints);
  }

  /** Returns whether a lock that is watched may have streams of its own. */
  boolean mayPush(WatchedLock lock) {
    synchronized (locks) {
      return locks.contains(lock) || (locks.size() < LOCKS_WATCHED_MAX && locks.add(lock));
    }
  }

  void closed(WatchedLock lock) {
    synchronized (locks) {
      locks.remove(lock);
    }
  }

  /** Watches the predecessor of a request, from a revision on. */
  void waitsBehind(RequestKey key, Place.Predecessor predecessor, long revision) {
    if (!listeners.containsKey(key.request().session())) {
      return;
    }
    PredecessorWatch present = watched.get(key.request());
    if (present != null && present.predecessor.equals(predecessor)) {
      return;
    }
    forget(key.request());
    PredecessorWatch next = new PredecessorWatch(key, predecessor);
    if (watched.size() < WATCHES_MAX && watched.putIfAbsent(key.request(), next) == null) {
      next.begin(revision);
    }
  }

  void forget(RequestId request) {
    PredecessorWatch present = watched.remove(request);
    if (present != null) {
      present.close();
    }
  }

  @Override
  public void close() {
    listeners.clear();
    watched.keySet().forEach(this::forget);
    List<WatchedLock> open;
    synchronized (locks) {
      open = List.copyOf(locks);
    }
    open.forEach(WatchedLock::close);
  }

  /** The watch of one request. Its callbacks run on threads of jetcd, one at a time. */
  private final class PredecessorWatch implements Watch.Listener {

    private final RequestKey key;
    private final Place.Predecessor predecessor;
    private Watch.@Nullable Watcher watcher;
    private boolean done;

    PredecessorWatch(RequestKey key, Place.Predecessor predecessor) {
      this.key = key;
      this.predecessor = predecessor;
    }

    void begin(long revision) {
      WatchOption option = WatchOption.builder().withRevision(revision + 1).build();
      Watch.Watcher begun;
      try {
        begun = cluster.watch().watch(predecessor.watched(), option, this);
      } catch (RuntimeException e) {
        // The client was just replaced, or closed. The reading is as good without a watch.
        end();
        return;
      }
      boolean late;
      synchronized (this) {
        watcher = begun;
        late = done;
      }
      if (late) {
        begun.close();
      }
    }

    @Override
    public void onNext(WatchResponse response) {
      List<WatchEvent> events = response.getEvents();
      if (events.stream().anyMatch(event -> event.getEventType() == EventType.DELETE)) {
        places.predecessorLeft(key.request());
      }
      if (!events.isEmpty()) {
        hint();
      }
    }

    private void hint() {
      if (watched.remove(key.request(), this)) {
        HintListener listener = listeners.get(key.request().session());
        if (listener != null) {
          listener.accept(key.name());
        }
        close();
      }
    }

    /**
     * The watch was compacted, disconnected or forbidden. jetcd may resume it at a revision after
     * the deletion of the key, so it is ended here.
     */
    @Override
    public void onError(Throwable failure) {
      end();
    }

    @Override
    public void onCompleted() {
      end();
    }

    private void end() {
      if (watched.remove(key.request(), this)) {
        close();
        HintListener listener = listeners.get(key.request().session());
        if (listener != null && stop(key.request().session(), listener)) {
          listener.ended();
        }
      }
    }

    void close() {
      Watch.Watcher begun;
      synchronized (this) {
        done = true;
        begun = watcher;
      }
      if (begun != null) {
        begun.close();
      }
    }
  }
}
