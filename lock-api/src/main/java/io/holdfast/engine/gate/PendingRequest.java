package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.hold.Hold;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.session.Departure;
import io.holdfast.engine.session.Granted;
import io.holdfast.engine.session.PollSchedule;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.session.SessionRequest;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.LossReason;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request under one session, from its first grab until it is granted or has left the store.
 *
 * <p>The rule about lost replies: a grab is repeated under the same request id, and a request that
 * was left while a copy of a grab may still be on its way is {@link Session#unsettle unsettled}.
 */
final class PendingRequest implements SessionRequest {

  private sealed interface State {}

  /**
   * A grab, or what follows from its answer, is under way since then.
   *
   * @param hintsMissed what {@link Session#hintsMissed} was then
   */
  private record Calling(long sinceNanos, long hintsMissed) implements State {}

  /** As calling, but its wish is abandoned: the answer only tells whether to take it back. */
  private record Leaving() implements State {}

  /** It grabs again after a pause. */
  private record Resting() implements State {}

  /** In the store's queue. */
  private record Queued(PollSchedule pollSchedule) implements State {}

  /** The store has granted it while the lease was not in force: a renewal decides. */
  private record GrantedInJeopardy(Granted granted) implements State {}

  /** Granted, refused, failed, withdrawn, or its session is over. */
  private record Over() implements State {}

  private static final State LEAVING = new Leaving();
  private static final State RESTING = new Resting();
  private static final State OVER = new Over();

  private final Core core;
  private final Wish wish;
  private final Session session;
  private final Request request;
  private final RequestKey key;

  private State state = RESTING;

  /** Made when there is an obstacle to remove. */
  private @Nullable Clearing clearing;

  /** A copy of a call that was not answered may still reach the store. */
  private boolean ambiguous;

  PendingRequest(Core core, Wish wish, Session session, Request request) {
    this.core = core;
    this.wish = wish;
    this.session = session;
    this.request = request;
    this.key = request.key();
  }

  Request request() {
    return request;
  }

  @Override
  public RequestKey key() {
    return key;
  }

  @Override
  public Departure departure() {
    return Departure.atOnce(core, key, request.lockDelay());
  }

  @Override
  @GuardedBy("turn.lock")
  public boolean isQueued(Turn turn) {
    return state instanceof Queued;
  }

  /** Whether its call is under way, and its wish is not abandoned. */
  @GuardedBy("turn.lock")
  boolean isCalling(Turn turn) {
    return state instanceof Calling;
  }

  /** Removes the obstacles in its way, if none are being removed for it already. */
  @Override
  @GuardedBy("turn.lock")
  public void clear(List<Obstacle> obstacles, Turn turn) {
    Clearing present = clearing;
    if (present == null && !obstacles.isEmpty()) {
      present = new Clearing(core, session, this);
      clearing = present;
    }
    if (present != null) {
      present.begin(obstacles, turn);
    }
  }

  /** A call that was made for it beside the grab, and may have been done, was not answered. */
  @GuardedBy("turn.lock")
  void mayHaveBeenDone(Turn turn) {
    ambiguous = true;
  }

  @Override
  @GuardedBy("turn.lock")
  public PollSchedule pollSchedule(Turn turn) {
    return ((Queued) state).pollSchedule();
  }

  @GuardedBy("turn.lock")
  Optional<Duration> unansweredFor(Turn turn) {
    return state instanceof Calling calling
        ? Optional.of(Duration.ofNanos(core.seam.nanos() - calling.sinceNanos()))
        : Optional.empty();
  }

  // --- the grab ---

  @GuardedBy("turn.lock")
  void grab(Runner runner, Turn turn) {
    if (session.isOver()) {
      over(turn); // Whoever is told of that while a call is under way goes on after it.
      wish.again(runner, turn);
      return;
    }
    state = new Calling(core.seam.nanos(), session.hintsMissed(turn));
    turn.call(runner, wish.timeout(runner), new Grab(runner));
  }

  /** Takes the lock if its queue is empty, else joins the queue or is refused. */
  private final class Grab implements StoreCall<Attempt> {
    private final Runner runner;

    Grab(Runner runner) {
      this.runner = runner;
    }

    @Override
    public Attempt send(CheckedBackend store, Deadline deadline) {
      return store.grab(request, deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Attempt attempt, Turn turn) {
      PendingRequest.this.answered(runner, attempt, turn);
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      callFailed(failure, turn);
    }
  }

  @GuardedBy("turn.lock")
  void answered(Runner runner, Attempt attempt, Turn turn) {
    if (attempt instanceof Attempt.SessionOver) {
      // First of all: whoever is let in by what follows would ask under it.
      session.expire(LossReason.SESSION_ENDED, "the store says that the session is over", turn);
    }
    wish.heard(session, turn);
    if (session.isOver()) {
      over(turn);
      wish.again(runner, turn);
    } else if (attempt instanceof Attempt.Granted granted) {
      long askedNanos = state instanceof Calling calling ? calling.sinceNanos() : 0;
      Contention contention =
          isHintMissedSinceGrab(turn) ? Contention.NOT_KNOWN : granted.contention();
      granted(new Granted(granted.number(), granted.since(), contention, askedNanos), turn);
    } else if (state instanceof Leaving) {
      leaveStore(attempt instanceof Attempt.Queued, turn);
    } else if (attempt instanceof Attempt.Queued) {
      state = new Queued(new PollSchedule(wakeupSinceGrab(turn), core.seam.nanos()));
      wish.leavesLine(turn);
      session.waits(this, turn);
    } else if (attempt instanceof Attempt.Refused refused) {
      refusal().refused(runner, refused.record(), turn);
    } else if (attempt instanceof Attempt.QueueFull full) {
      refusal().queueFull(full, turn);
    } else if (attempt instanceof Attempt.Delayed delayed) {
      refusal().delayed(delayed, turn);
    }
  }

  private Refusal refusal() {
    return new Refusal(wish, this);
  }

  /** A hint that comes before this client knows that the request waits has nothing looked at. */
  @GuardedBy("turn.lock")
  private Wakeup wakeupSinceGrab(Turn turn) {
    return isHintMissedSinceGrab(turn) ? Wakeup.POLL : session.wakeup(turn);
  }

  @GuardedBy("turn.lock")
  private boolean isHintMissedSinceGrab(Turn turn) {
    return state instanceof Calling calling && calling.hintsMissed() != session.hintsMissed(turn);
  }

  /** A call of the present attempt has failed. */
  @GuardedBy("turn.lock")
  void callFailed(RuntimeException failure, Turn turn) {
    wish.heard(failure, turn);
    ambiguous |= Failures.isAmbiguous(failure);
    if (state instanceof Leaving) {
      leaveStore(ambiguous, turn);
    } else if (session.isOver()) {
      over(turn);
      wish.again(Runner.BACKGROUND, turn);
    } else if (wish.asksOnce() || !Failures.isRetryable(failure)) {
      leaveStore(ambiguous, turn);
      wish.failed(failure, turn);
    } else {
      rest(turn);
    }
  }

  @GuardedBy("turn.lock")
  void rest(Turn turn) {
    wish.leavesLine(turn);
    state = RESTING;
    turn.after(wish.nextPauseNanos(turn), new GrabAfterRest());
  }

  private final class GrabAfterRest implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      if (state instanceof Resting) {
        wish.asksAgain(turn);
      }
    }
  }

  // --- the grant ---

  /**
   * The store says that the request holds. It is a grant only if nothing here speaks against it.
   */
  @Override
  @GuardedBy("turn.lock")
  public void granted(Granted granted, Turn turn) {
    assert granted.number() > 0;
    if (state instanceof Leaving) {
      leaveStore(true, turn);
    } else if (session.isRevoked(request.id(), turn)) {
      leaveStore(true, turn);
      if (wish.asksOnce()) {
        wish.whyNotGranted(Optional.of("the request was revoked as soon as it was granted"), turn);
        wish.refused(turn);
      } else {
        wish.begin(Runner.BACKGROUND, turn);
      }
    } else if (session.inForce()) {
      Hold hold = new Hold(core, session, wish.gate, key, wish.options, granted, mayTurnUp(turn));
      over(turn);
      session.holds(hold, turn);
      wish.granted(hold, turn);
    } else if (wish.asksOnce()) {
      leaveStore(true, turn);
      wish.failed(
          new BackendFailure(
              Effect.NONE, "the lease ran out before the grant was answered; ask again", null),
          turn);
    } else {
      leaveQueue(turn);
      // Hints that come meanwhile are about no request that waits.
      state = new GrantedInJeopardy(granted.withContention(Contention.NOT_KNOWN));
      wish.leavesLine(turn);
      session.awaitsLease(this, turn);
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public void leaseInForce(Turn turn) {
    if (state instanceof GrantedInJeopardy inJeopardy) {
      granted(inJeopardy.granted(), turn);
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public void looked(Turn turn) {
    wish.looked(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void lookFailed(RuntimeException failure, Turn turn) {
    wish.lookFailed(failure, turn);
  }

  // --- its end ---

  /** Its standing cannot be learnt: its caller is told so. */
  @Override
  @GuardedBy("turn.lock")
  public void fails(RuntimeException failure, Turn turn) {
    if (state instanceof Queued) {
      leaveStore(true, turn);
      wish.failed(failure, turn);
    }
  }

  /** The request is not in the queue any more although this client did not take it out. */
  @Override
  @GuardedBy("turn.lock")
  public void vanished(Turn turn) {
    leaveStore(false, turn);
    wish.again(Runner.BACKGROUND, turn);
  }

  /** A call that is under way finds the session over when it gets its answer, of any kind. */
  @Override
  @GuardedBy("turn.lock")
  public void sessionOver(Turn turn) {
    boolean isAnsweredLater = state instanceof Calling || state instanceof Leaving;
    if (!isAnsweredLater && !(state instanceof Over)) {
      over(turn);
      wish.again(Runner.BACKGROUND, turn);
    }
  }

  /** The wish is abandoned. */
  @GuardedBy("turn.lock")
  void abandon(Turn turn) {
    if (state instanceof Calling) {
      state = LEAVING;
    } else if (state instanceof Resting) {
      leaveStore(ambiguous, turn);
    } else if (!(state instanceof Over)) {
      leaveStore(true, turn);
    }
  }

  /** The request is turned away from; if it may be in the store, it is taken out. */
  @GuardedBy("turn.lock")
  void leaveStore(boolean mayBeThere, Turn turn) {
    over(turn);
    // First: the session may end with an unsettled request too many, but not before it is
    // withdrawn.
    if (mayBeThere) {
      session.withdraw(departure(), wish.gate.leaves(turn), turn);
    }
    if (mayTurnUp(turn)) {
      session.unsettle(key, request.lockDelay(), turn);
    }
    session.closeIfRetired(turn);
  }

  @GuardedBy("turn.lock")
  private void over(Turn turn) {
    assert !(state instanceof Over);
    leaveQueue(turn);
    state = OVER;
    session.pendsNoMore(this, turn);
    wish.leavesLine(turn);
  }

  @GuardedBy("turn.lock")
  private void leaveQueue(Turn turn) {
    if (state instanceof Queued) {
      session.waitsNoMore(this, turn);
    }
  }

  /** Whether a call on its way to the store may put the request into the queue (again). */
  @GuardedBy("turn.lock")
  boolean mayTurnUp(Turn turn) {
    return ambiguous || (clearing != null && clearing.isOvertaking(turn));
  }
}
