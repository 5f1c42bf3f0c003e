package io.holdfast.etcd;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A hint for whoever waits: its predecessor's key was deleted. It is watched from the revision at
 * which it was last seen, so what happens meanwhile is told too. A watch serves once: whoever looks
 * and waits on is given another. Thread-safe.
 */
final class Watches implements AutoCloseable {

  /** jetcd opens a stream for each; who has none asks with its heartbeats. */
  static final int MOST = 64;

  private final EtcdLink link;
  private final Map<SessionId, HintListener> listeners = new ConcurrentHashMap<>();
  private final Map<RequestId, Watched> watched = new ConcurrentHashMap<>();

  Watches(EtcdLink link) {
    this.link = link;
  }

  AutoCloseable listen(SessionId session, HintListener listener) {
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

  /** Somebody has looked. */
  void stands(RequestKey key, Standing standing, List<KeyValue> queue, long revision) {
    if (standing instanceof Standing.Waiting waiting) {
      waitsBehind(key, queue.get(waiting.ahead() - 1), revision);
    } else {
      forget(key.request());
    }
  }

  /** A request waits behind another, as of a revision. */
  void waitsBehind(RequestKey key, KeyValue predecessor, long revision) {
    if (!listeners.containsKey(key.request().session())) {
      return;
    }
    Watched present = watched.get(key.request());
    if (present != null && present.predecessor == predecessor.getCreateRevision()) {
      return;
    }
    forget(key.request());
    Watched next = new Watched(key, predecessor.getCreateRevision());
    if (watched.size() < MOST && watched.putIfAbsent(key.request(), next) == null) {
      next.begin(predecessor, revision);
    }
  }

  void forget(RequestId request) {
    Watched present = watched.remove(request);
    if (present != null) {
      present.close();
    }
  }

  @Override
  public void close() {
    listeners.clear();
    watched.keySet().forEach(this::forget);
  }

  /** One request's watch. Its callbacks come on jetcd's threads, one at a time. */
  private final class Watched implements Watch.Listener {

    private final RequestKey key;
    private final long predecessor;
    private Watch.@Nullable Watcher watcher;
    private boolean done;

    Watched(RequestKey key, long predecessor) {
      this.key = key;
      this.predecessor = predecessor;
    }

    void begin(KeyValue before, long revision) {
      WatchOption option = WatchOption.builder().withRevision(revision + 1).build();
      Watch.Watcher begun = link.watch().watch(before.getKey(), option, this);
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
      if (!response.getEvents().isEmpty()) {
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

    /** Compacted, cut off, forbidden. Left alone, jetcd might go on behind what we wait for. */
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
