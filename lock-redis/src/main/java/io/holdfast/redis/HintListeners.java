package io.holdfast.redis;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.spi.HintListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners for the hints of each session. Thread-safe. */
final class HintListeners {

  private static final Logger LOG = LoggerFactory.getLogger(HintListeners.class);

  private final Map<SessionId, HintListener> all = new ConcurrentHashMap<>();

  void add(SessionId session, HintListener listener) {
    all.put(session, listener);
  }

  void remove(SessionId session, HintListener listener) {
    all.remove(session, listener);
  }

  void hint(SessionId session, LockName name) {
    @Nullable HintListener listener = all.get(session);
    if (listener != null) {
      listener.accept(name);
    }
  }

  /** Tells each that its hints have ended, and forgets it. */
  void endAll() {
    all.forEach(
        (session, listener) -> {
          if (all.remove(session, listener)) {
            tellEnd(session, listener);
          }
        });
  }

  /** One that fails keeps no other from being told. */
  private static void tellEnd(SessionId session, HintListener listener) {
    try {
      listener.ended();
    } catch (RuntimeException | Error e) {
      LOG.warn("session {} could not be told that hints have ended", session, e);
    }
  }
}
