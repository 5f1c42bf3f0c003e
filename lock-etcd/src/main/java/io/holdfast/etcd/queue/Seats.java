package io.holdfast.etcd.queue;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.etcd.format.Seat;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Request;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives the requests of this client their {@linkplain Seat seats}. etcd visits every deleted key of
 * a queue until it compacts. So requests of a session that come one after the other take the same
 * seat, and a queue has as many keys of the past as it had sessions, not as it had requests.
 *
 * <p>A request takes the seat of its session only if nothing about an earlier one can still come
 * there: the store has answered the one call that put that request, and the one call that deleted
 * it, which found it as it was put. Then no copy of either call is under way, and there are no
 * marks, since whatever becomes of a request is written to its key. In any other case the seat is
 * left to that request for as long as the session lives. Of a session that another client has
 * opened this is not known, so its requests have seats of their own, and so have requests with a
 * lock-delay, which outlive their session. Thread-safe.
 */
public final class Seats {

  /** The seat that a session has for a lock and a mode. */
  private record OfSession(SessionId session, LockName name, LockMode mode) {
    static OfSession of(Request request) {
      return new OfSession(request.id().session(), request.name(), request.mode());
    }

    static OfSession of(Seat seat) {
      return new OfSession(seat.session(), seat.name(), seat.asked());
    }
  }

  /**
   * What a request was given.
   *
   * @param asked how often it has asked
   */
  private record Given(Seat seat, int asked) {
    Given again() {
      return new Given(seat, asked + 1);
    }
  }

  private final Set<SessionId> opened = ConcurrentHashMap.newKeySet();
  private final Map<OfSession, RequestId> taken = new ConcurrentHashMap<>();
  private final Map<RequestId, Given> given = new ConcurrentHashMap<>();

  /** This client has opened a session, and no other uses it. */
  public void opened(SessionId session) {
    opened.add(session);
  }

  boolean isOpenedHere(SessionId session) {
    return opened.contains(session);
  }

  /** Returns the seat of a request that is about to be put: the same whenever it asks. */
  Seat of(Request request) {
    return given
        .compute(
            request.id(),
            (id, before) -> before == null ? new Given(choose(request), 1) : before.again())
        .seat();
  }

  private Seat choose(Request request) {
    boolean again =
        isOpenedHere(request.id().session())
            && !request.hasLockDelay()
            && taken.putIfAbsent(OfSession.of(request), request.id()) == null;
    return again
        ? Seat.ofSession(request.key(), request.mode())
        : Seat.own(request.key(), request.mode());
  }

  /** One call has deleted the request's key, which was as the request has put it. */
  void left(RequestId request) {
    Given was = given.remove(request);
    if (was != null && was.asked() == 1) {
      taken.remove(OfSession.of(was.seat()), request);
    }
  }

  /** The request is gone in another way, or is left to go: nobody else has its seat. */
  void gone(RequestId request) {
    given.remove(request);
  }

  /** Forgets the seats of a session that is over. */
  public void forget(SessionId session) {
    opened.remove(session);
    taken.keySet().removeIf(seat -> seat.session().equals(session));
    given.keySet().removeIf(request -> request.session().equals(session));
  }
}
