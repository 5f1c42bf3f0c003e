package io.holdfast.etcd.queue;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.etcd.format.Seat;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives the requests of this client their {@linkplain Seat seats}. etcd visits every deleted key of
 * a queue until it compacts. So requests of a session that come one after the other take the same
 * seat, and a queue has as many keys of the past as it had sessions, not as it had requests.
 *
 * <p>A request takes the seat of its session only if nothing about an earlier one can still come
 * there, and nothing is left of it: the store has answered each call that was to put that request,
 * and one call that deleted it with its marks, or left it to a lease together with its mark. In any
 * other case the seat stays that request's for as long as the session lives. Of a session that
 * another client has opened this is not known, so its requests have seats of their own, and so have
 * requests with a lock-delay, which outlive their session. Thread-safe.
 */
public final class Seats {

  /** The requests of a session for a lock that ask for a mode. */
  private record Group(SessionId session, LockName name, LockMode mode) {
    static Group of(Request request) {
      return new Group(request.id().session(), request.name(), request.mode());
    }

    static Group of(RequestKey key, LockMode mode) {
      return new Group(key.request().session(), key.name(), mode);
    }
  }

  /** Those of a group that are in the store, or may come there. */
  private static final class Members {
    private static final long NONE = 0;

    /** Of so many is remembered that they stay at seats of their own, if a late call comes. */
    private static final int STAYING_MAX = 8;

    /** How many calls that are to put each of them were not answered. */
    private final Map<Long, Integer> unanswered = new HashMap<>();

    /** Those that were given back and stay, of which no call is waited for. */
    private final Deque<Long> staying = new ArrayDeque<>();

    /** Which of them has the seat of the session. */
    private long seated = NONE;

    boolean takesSeatOfSession(long serial) {
      boolean isNew = !unanswered.containsKey(serial);
      unanswered.merge(serial, 1, Integer::sum);
      if (isNew && seated == NONE) {
        seated = serial;
      }
      return seated == serial;
    }

    void answered(long serial) {
      unanswered.computeIfPresent(serial, (same, calls) -> calls - 1);
    }

    void leaveSeat(long serial) {
      seated = seated == serial ? NONE : seated;
    }

    /** One stays at its seat: a request that comes to that of the session sees it there. */
    boolean isEmptyOnceStaying(long serial) {
      if (seated == serial) {
        return isEmptyWithout(serial);
      }
      staying.add(serial);
      return staying.size() > STAYING_MAX && isEmptyWithout(staying.remove());
    }

    /** Lets one go of which nothing can come any more, and returns whether none is left. */
    boolean isEmptyWithout(long serial) {
      if (unanswered.remove(serial, 0)) {
        leaveSeat(serial);
      }
      return unanswered.isEmpty();
    }
  }

  private final Set<SessionId> opened = ConcurrentHashMap.newKeySet();

  /** A group is only used while its entry here is computed, and so by one thread at a time. */
  private final Map<Group, Members> groups = new ConcurrentHashMap<>();

  /** This client has opened a session, and no other uses it. */
  public void opened(SessionId session) {
    opened.add(session);
  }

  boolean isOpenedHere(SessionId session) {
    return opened.contains(session);
  }

  /** Returns the seat of a request that a call is about to put: the same for each of its calls. */
  Seat of(Request request) {
    Seat own = Seat.own(request.key(), request.mode());
    if (!isOpenedHere(request.id().session()) || request.hasLockDelay()) {
      return own;
    }
    boolean[] isOfSession = {false};
    groups.compute(
        Group.of(request),
        (group, present) -> {
          Members members = present == null ? new Members() : present;
          isOfSession[0] = members.takesSeatOfSession(request.id().serial());
          return members;
        });
    return isOfSession[0] ? Seat.ofSession(request.key(), request.mode()) : own;
  }

  /** The store has answered a call that was to put a request. */
  void answered(Request request) {
    groups.computeIfPresent(
        Group.of(request),
        (group, members) -> {
          members.answered(request.id().serial());
          return members;
        });
  }

  /** The seat of the session is still another's; the request takes its own with the next call. */
  void isTaken(Request request) {
    groups.computeIfPresent(
        Group.of(request),
        (group, members) -> {
          members.leaveSeat(request.id().serial());
          return members;
        });
  }

  /** The request is left to a lease, together with its mark. */
  void stays(RequestKey key, LockMode asked) {
    groups.computeIfPresent(
        Group.of(key, asked),
        (group, members) -> members.isEmptyOnceStaying(key.request().serial()) ? null : members);
  }

  /** The request is not in the store, and neither are marks of it. */
  void free(RequestKey key, LockMode asked) {
    groups.computeIfPresent(
        Group.of(key, asked),
        (group, members) -> members.isEmptyWithout(key.request().serial()) ? null : members);
  }

  /** Forgets the seats of a session that is over, or of which no request is made any more. */
  public void forget(SessionId session) {
    opened.remove(session);
    groups.keySet().removeIf(group -> group.session().equals(session));
  }
}
