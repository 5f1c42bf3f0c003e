package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.RequestKey;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.Session;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Gives a waiting request a hint when the node of its predecessor changes or goes. A ZooKeeper
 * watch fires once; each look sets the next one. Thread-safe.
 */
public final class PredecessorWatches implements AutoCloseable {

  private final Paths paths;
  private final Map<SessionId, Listening> listening = new ConcurrentHashMap<>();

  public PredecessorWatches(Paths paths) {
    this.paths = paths;
  }

  public AutoCloseable listen(SessionId session, HintListener listener) {
    Listening asked = new Listening(session, listener);
    listening.put(session, asked);
    return () -> listening.remove(session, asked);
  }

  /** A request waits behind another. If that outlives its session, the session is watched, too. */
  void waitsBehind(Session session, RequestKey key, RequestNode predecessor) {
    Listening present = listening.get(key.request().session());
    if (present != null) {
      present.watch(
          session,
          key,
          predecessor.path(),
          predecessor.hasDelay()
              ? Optional.of(paths.session(predecessor.request().session()))
              : Optional.empty());
    }
  }

  void forget(RequestId request) {
    Listening present = listening.get(request.session());
    if (present != null) {
      present.waiting.remove(request);
    }
  }

  @Override
  public void close() {
    listening.clear();
  }

  private record Waiting(LockName name, String predecessor, Optional<String> session) {
    boolean isFor(String path) {
      return predecessor.equals(path) || session.filter(path::equals).isPresent();
    }
  }

  /**
   * One session's watches. One for all of its requests, so that those which have given up leave no
   * more than one behind for each node. Told on the client library's threads.
   */
  private final class Listening implements Watcher {

    private final SessionId session;
    private final HintListener listener;
    private final Map<RequestId, Waiting> waiting = new ConcurrentHashMap<>();

    Listening(SessionId session, HintListener listener) {
      this.session = session;
      this.listener = listener;
    }

    void watch(Session of, RequestKey key, String predecessor, Optional<String> itsSession) {
      Waiting next = new Waiting(key.name(), predecessor, itsSession);
      if (!next.equals(waiting.put(key.request(), next))) {
        of.connection()
            .ifConnected()
            .ifPresentOrElse(
                client -> {
                  client.getData(
                      predecessor,
                      this,
                      (code, path, context, data, stat) -> answered(Code.get(code), path),
                      null);
                  // Of its children, as its data change with each heartbeat. If it is over, the
                  // look that leads to this has told so.
                  itsSession.ifPresent(
                      path ->
                          client.getChildren(
                              path, this, (code, asked, context, names) -> {}, null));
                },
                this::end);
      }
    }

    private void answered(Code code, String path) {
      if (code == Code.NONODE) {
        hint(path);
      } else if (code != Code.OK) {
        end();
      }
    }

    @Override
    public void process(WatchedEvent event) {
      if (event.getType() != Event.EventType.None) {
        hint(event.getPath());
      } else if (event.getState() != Event.KeeperState.SyncConnected) {
        // Left alone, the library might watch on from a later moment.
        end();
      }
    }

    private void hint(String path) {
      waiting.forEach(
          (request, behind) -> {
            if (behind.isFor(path) && waiting.remove(request, behind)) {
              listener.accept(behind.name());
            }
          });
    }

    private void end() {
      if (listening.remove(session, this)) {
        listener.ended();
      }
    }
  }
}
