package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockName;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.seam.Seam.Timer;
import io.holdfast.engine.session.SessionRequests.Unsettled;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Standing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store how a session's requests stand: once per heartbeat for all that wait and all that
 * are unsettled, and between heartbeats for those that may soon be granted. Of obstacles in its way
 * a request is told.
 */
final class WaitPoller {

  /** Requests whose turn to ask is this close are asked about together. */
  private static final long TOGETHER_NANOS = 2_000_000;

  /** After so many heartbeats in which it needed no hints a session has none sent. */
  private static final int BEATS_WITHOUT_NEED_MAX = 2;

  private final Core core;
  private final Session session;
  private final Waits waits = new Waits();
  private final LookSize lookSize = new LookSize();
  private Timer nextLook = Timer.NONE;
  private OptionalLong scheduledAtNanos = OptionalLong.empty();
  private boolean looking;

  /** Requests that a look at all that wait asks about besides. */
  private final Deque<RequestKey> notWaiting = new ArrayDeque<>();

  private boolean lookingAtAll;
  private boolean stopped;
  private long hintsMissed;
  private int beatsWithoutNeed;

  WaitPoller(Core core, Session session) {
    this.core = core;
    this.session = session;
  }

  @GuardedBy("turn.lock")
  void stop(Turn turn) {
    stopped = true;
    nextLook.cancel();
  }

  /** A request has begun to wait, or is to be looked at another time than before. */
  @GuardedBy("turn.lock")
  void wanted(SessionRequest request, Turn turn) {
    waits.put(request, request.pollSchedule(turn).dueAtNanos());
    schedule(turn);
  }

  /** A request waits no more. */
  @GuardedBy("turn.lock")
  void forget(SessionRequest request, Turn turn) {
    waits.remove(request);
  }

  /**
   * How many hints there were about locks that no request waits for, as far as is known here, and
   * beginnings and ends of hints, which may hide some.
   */
  @GuardedBy("turn.lock")
  long hintsMissed(Turn turn) {
    return hintsMissed;
  }

  /** Something about a lock may have changed. */
  @GuardedBy("turn.lock")
  void hinted(LockName name, Turn turn) {
    List<SessionRequest> waiting = waits.of(name);
    if (waiting.isEmpty()) {
      hintsMissed++;
    }
    session.requests.hinted(name, turn);
    lookNow(waiting, turn);
  }

  /** Anything may have changed. */
  @GuardedBy("turn.lock")
  void hintedAll(Turn turn) {
    hintsMissed++;
    waits.beginPass();
    lookOn(turn);
  }

  @GuardedBy("turn.lock")
  private void lookNow(List<SessionRequest> requests, Turn turn) {
    long now = core.seam.nanos();
    for (SessionRequest request : requests) {
      request.pollSchedule(turn).lookNow(now);
      waits.put(request, request.pollSchedule(turn).dueAtNanos());
    }
    schedule(turn);
  }

  /** The heartbeat's look. While one hangs no other is sent. */
  @GuardedBy("turn.lock")
  void lookAtAll(Turn turn) {
    if (lookingAtAll) {
      return;
    }
    session.requests.unsettled.values().forEach(request -> notWaiting.add(request.key()));
    List<RequestKey> byContention = session.requests.keysByContention(turn);
    notWaiting.addAll(byContention);
    if (!waits.isEmpty() || !byContention.isEmpty()) {
      beatsWithoutNeed = 0;
      session.listen(turn); // Unless it does: a stream that was refused once may be given now.
    } else if (++beatsWithoutNeed > BEATS_WITHOUT_NEED_MAX) {
      session.listenNoMore(turn); // A stream costs the store something even where it is silent.
    }
    waits.beginPass();
    lookOn(turn);
  }

  /** One slice after the other, so that no turn is longer for all that wait. */
  @GuardedBy("turn.lock")
  private void lookOn(Turn turn) {
    if (lookingAtAll || stopped) {
      return;
    }
    List<RequestKey> slice = new ArrayList<>();
    int most = lookSize.most();
    while (!notWaiting.isEmpty() && slice.size() < most) {
      slice.add(notWaiting.remove());
    }
    for (SessionRequest request : waits.nextOfPass(most - slice.size())) {
      slice.add(request.key());
    }
    if (!slice.isEmpty()) {
      lookingAtAll = true;
      look(Runner.HEARTBEAT, new LookAtSlice(slice), turn);
    }
  }

  @GuardedBy("turn.lock")
  private void schedule(Turn turn) {
    OptionalLong first = waits.firstDueAtNanos();
    if (stopped || looking || first.equals(scheduledAtNanos)) {
      return;
    }
    nextLook.cancel();
    scheduledAtNanos = OptionalLong.empty();
    if (first.isPresent()) {
      long delayNanos = first.getAsLong() - core.seam.nanos();
      if (delayNanos > 0) {
        scheduledAtNanos = first;
        nextLook = turn.after(delayNanos, new LookWhenDue());
      } else {
        lookAtDue(turn); // A waiter whose turn may have come does not wait for the timers' thread.
      }
    }
  }

  private final class LookWhenDue implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      scheduledAtNanos = OptionalLong.empty();
      if (!stopped && !looking) {
        lookAtDue(turn);
      }
    }
  }

  @GuardedBy("turn.lock")
  private void lookAtDue(Turn turn) {
    List<SessionRequest> due = waits.dueUntil(core.seam.nanos() + TOGETHER_NANOS, lookSize.most());
    if (due.isEmpty()) {
      schedule(turn);
      return;
    }
    looking = true;
    look(Runner.BACKGROUND, new LookAtDue(due), turn);
  }

  @GuardedBy("turn.lock")
  private void look(Runner runner, Look look, Turn turn) {
    look.askedNanos = core.seam.nanos();
    for (int i = 0; i < look.hintsBefore.length; i++) {
      SessionRequest request = queued(look.keys.get(i), turn);
      look.hintsBefore[i] = request == null ? 0 : request.pollSchedule(turn).hints();
    }
    turn.call(runner, Core.CALL_TIMEOUT, look);
  }

  /** Returns those of the requests that are in a queue. */
  @GuardedBy("turn.lock")
  private List<SessionRequest> waiting(List<RequestKey> keys, Turn turn) {
    List<SessionRequest> waiting = new ArrayList<>(keys.size());
    for (RequestKey key : keys) {
      SessionRequest request = queued(key, turn);
      if (request != null) {
        waiting.add(request);
      }
    }
    return waiting;
  }

  @GuardedBy("turn.lock")
  private @Nullable SessionRequest queued(RequestKey key, Turn turn) {
    SessionRequest request = session.requests.pending.get(key.request());
    return request != null && request.isQueued(turn) ? request : null;
  }

  /** One question for several requests. */
  private abstract class Look implements StoreCall<List<Standing>> {
    final List<RequestKey> keys;
    long askedNanos;

    /** Of each: what came after them it does not show. */
    final int[] hintsBefore;

    Look(List<RequestKey> keys) {
      this.keys = keys;
      this.hintsBefore = new int[keys.size()];
    }

    @Override
    public List<Standing> send(CheckedBackend store, Deadline deadline) {
      return store.look(session.id, keys, deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(List<Standing> standings, Turn turn) {
      lookSize.answered(core.seam.nanos() - askedNanos);
      for (int i = 0; i < keys.size() && !stopped; i++) {
        stands(keys.get(i), standings.get(i), askedNanos, hintsBefore[i], turn);
      }
      goOn(turn);
      schedule(turn);
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      if (Failures.isRetryable(failure)) {
        lookSize.failed(keys.size(), core.seam.nanos() - askedNanos);
      } else {
        lookSize.cannotRead(keys.size());
      }
      for (SessionRequest request : waiting(keys, turn)) {
        lookFailed(request, failure, turn);
      }
      goOn(turn);
      schedule(turn);
    }

    @GuardedBy("turn.lock")
    abstract void goOn(Turn turn);
  }

  private final class LookAtDue extends Look {
    LookAtDue(List<SessionRequest> due) {
      super(due.stream().map(SessionRequest::key).toList());
    }

    @Override
    @GuardedBy("turn.lock")
    void goOn(Turn turn) {
      looking = false;
    }
  }

  private final class LookAtSlice extends Look {
    LookAtSlice(List<RequestKey> slice) {
      super(slice);
    }

    @Override
    @GuardedBy("turn.lock")
    void goOn(Turn turn) {
      lookingAtAll = false;
      lookOn(turn);
    }
  }

  /** A failure that does not pass by itself is told to the caller: it would wait for ever. */
  @GuardedBy("turn.lock")
  private void lookFailed(SessionRequest request, RuntimeException failure, Turn turn) {
    PollSchedule pollSchedule = request.pollSchedule(turn);
    if (pollSchedule.lookFailed(failure, core.seam.nanos())) {
      request.fails(failure, turn);
      return;
    }
    request.lookFailed(failure, turn);
    waits.put(request, pollSchedule.dueAtNanos());
  }

  @GuardedBy("turn.lock")
  private void stands(
      RequestKey key, Standing standing, long askedNanos, int hintsBefore, Turn turn) {
    RequestId id = key.request();
    SessionHold hold = session.requests.holds.get(id);
    SessionRequest request = session.requests.pending.get(id);
    if (hold != null) {
      hold.stands(standing, askedNanos, turn);
    } else if (request == null) {
      // Unsettled, or given up while the answer was on its way. If it is in the store, no thread
      // of this client wants it.
      Unsettled unsettled = session.requests.unsettled.get(id);
      if (unsettled != null && !(standing instanceof Standing.Absent)) {
        session.withdraw(Departure.atOnce(core, key, unsettled.lockDelay()), turn);
      }
    } else if (!request.isQueued(turn)) {
      return;
    } else {
      request.looked(turn);
      stands(request, standing, askedNanos, hintsBefore, turn);
    }
  }

  @GuardedBy("turn.lock")
  private void stands(
      SessionRequest request, Standing standing, long askedNanos, int hintsBefore, Turn turn) {
    if (standing instanceof Standing.Holding holding) {
      // A hint that came since the look was sent may tell of a waiter whom it does not show.
      Granted granted =
          new Granted(holding.number(), holding.since(), holding.contention(), askedNanos);
      boolean isHinted = request.pollSchedule(turn).mayHaveChangedSince(hintsBefore);
      request.granted(isHinted ? granted.withContention(Contention.NOT_KNOWN) : granted, turn);
    } else if (standing instanceof Standing.Waiting waiting) {
      PollSchedule pollSchedule = request.pollSchedule(turn);
      long now = core.seam.nanos();
      pollSchedule.standsBehind(
          waiting.ahead(), session.wakeup(turn), waiting.nextDue(), hintsBefore, now);
      waits.put(request, pollSchedule.dueAtNanos());
      request.clear(waiting.obstacles(), turn);
    } else {
      request.vanished(turn);
    }
  }
}
