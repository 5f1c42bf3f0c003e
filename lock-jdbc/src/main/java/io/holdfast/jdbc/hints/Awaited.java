package io.holdfast.jdbc.hints;

import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.verbs.Glance;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.RequestKey;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait, of sessions that listen. One is hinted at once and then forgotten: its
 * client looks, and if it still waits, the look says so and it is known again. So none is kept that
 * has left its queue, even if this was not told.
 */
final class Awaited {

  private final QueueTextDialect dialect;
  private final Map<SessionId, HintListener> listeners = new ConcurrentHashMap<>();

  /** How each stood when it was read last. */
  private final Map<RequestKey, Glance> requests = new ConcurrentHashMap<>();

  private volatile boolean unread;

  Awaited(QueueTextDialect dialect) {
    this.dialect = dialect;
  }

  void listen(SessionId session, HintListener listener) {
    listeners.put(session, listener);
  }

  /** Another that listens to the same session by now is left alone. */
  void leave(SessionId session, HintListener listener) {
    if (listeners.remove(session, listener)) {
      requests.keySet().removeIf(key -> key.request().session().equals(session));
    }
  }

  Set<SessionId> sessions() {
    return Set.copyOf(listeners.keySet());
  }

  boolean isEmpty() {
    return listeners.isEmpty();
  }

  List<HintListener> listeners() {
    return List.copyOf(listeners.values());
  }

  void add(RequestKey request) {
    SessionId session = request.request().session();
    if (!listeners.containsKey(session)) {
      return;
    }
    if (requests.putIfAbsent(request, Glance.UNREAD) == null) {
      unread = true;
    }
    if (!listeners.containsKey(session)) { // It has left meanwhile, and with it what it waits for.
      requests.remove(request);
    }
  }

  void remove(RequestKey request) {
    requests.remove(request);
  }

  /** Whether there are some that were not read yet: what has changed before that is not known. */
  boolean hasUnread() {
    return unread;
  }

  /** Reads how all of them stand, and hints those who have reason to look. */
  void read(DatabaseConnection connection) throws SQLException {
    unread = false;
    if (requests.isEmpty()) {
      return;
    }
    Map<RequestKey, Glance> glances = Glance.at(connection, dialect, requests.keySet());
    glances.forEach(
        (key, glance) -> {
          @Nullable Glance before = requests.get(key);
          if (before == null) {
            return;
          }
          if (glance.isNewsAfter(before)) {
            requests.remove(key);
            hint(key);
          } else {
            requests.replace(key, before, glance);
          }
        });
  }

  private void hint(RequestKey key) {
    @Nullable HintListener listener = listeners.get(key.request().session());
    if (listener != null) {
      listener.accept(key.name());
    }
  }
}
