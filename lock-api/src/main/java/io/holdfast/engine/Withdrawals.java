package io.holdfast.engine;

import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.Released;
import io.holdfast.spi.RequestKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes requests that nobody wants any more out of the store, in the background: what failed is
 * repeated until it succeeds or the session is over, so that no lock stays held by nobody.
 */
final class Withdrawals {

  private static final long PAUSE_MIN_NANOS = 20_000_000;
  private static final long PAUSE_MAX_NANOS = 2_000_000_000;

  private final Core core;
  private final Session session;
  private final Set<RequestKey> underWay = new LinkedHashSet<>();

  Withdrawals(Core core, Session session) {
    this.core = core;
    this.session = session;
  }

  void withdraw(RequestKey key) {
    if (underWay.add(key)) {
      attempt(key, PAUSE_MIN_NANOS);
    }
  }

  List<RequestKey> underWay() {
    return List.copyOf(underWay);
  }

  private void attempt(RequestKey key, long pauseNanos) {
    if (session.isOver()) {
      underWay.remove(key);
      return;
    }
    core.<Released>call(
        Lane.BACKGROUND,
        Core.CALL_TIMEOUT,
        deadline -> core.backend.release(key.name(), key.request(), deadline),
        released -> underWay.remove(key),
        failure ->
            core.after(pauseNanos, () -> attempt(key, Math.min(2 * pauseNanos, PAUSE_MAX_NANOS))));
  }
}
