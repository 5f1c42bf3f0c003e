package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.AcquireOptions;
import io.holdfast.engine.hold.Hold;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.session.Sessions;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.Turn;
import io.holdfast.engine.turn.WholeMillis;
import io.holdfast.error.LockQueueFullException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import java.time.Duration;
import java.util.Optional;

/**
 * A gate's wish for the lock, for as long as a thread of its line wants it.
 *
 * <p>It finds a session and makes a {@link PendingRequest} under it. When that session is over it
 * goes on with another session and another request. It ends granted, refused, failed or abandoned.
 */
final class Wish implements Sessions.User {

  /** No call has a shorter deadline: one that takes longer than this tells of trouble. */
  static final Duration CALL_TIMEOUT_MIN = Duration.ofMillis(500);

  static final long PAUSE_MIN_NANOS = 20_000_000;
  static final long PAUSE_MAX_NANOS = 1_000_000_000;

  /**
   * How many sessions in a row one attempt survives, and how often it removes dead waiters; a wait
   * goes on after a pause.
   */
  static final int PERSISTENCE = 8;

  /** How many dead holders one attempt removes: all that shared a lock may have died together. */
  static final int HOLDERS_REMOVED_MAX = 256;

  private sealed interface State {}

  /** In a {@link Line}, and no request is made yet. */
  private record InLine() implements State {}

  /** A session is being opened since then. */
  private record Opening(long sinceNanos) implements State {}

  /** A request is at work under a session. */
  private record Asking(PendingRequest request) implements State {}

  /** There is no session; it looks for one after a pause. */
  private record Resting() implements State {}

  /** Granted, refused, failed or abandoned. */
  private record Over() implements State {}

  private static final State RESTING = new Resting();
  private static final State IN_LINE = new InLine();
  private static final State OVER = new Over();

  final Gate gate;
  final IfHeld ifHeld;
  final AcquireOptions options;

  private final Core core;
  private final Duration ttl;

  /** Whether a thread waits for it, or has waited. */
  private boolean isOfAThread;

  /** The line in which it was last, if it ever asked in the background. */
  private Optional<Line> line = Optional.empty();

  private State state = RESTING;
  private Optional<RuntimeException> trouble = Optional.empty();
  private Optional<String> whyNotGranted = Optional.empty();
  private int sessionsEnded;
  private int holdersRemoved;
  private int waitersRemoved;
  private int askedAtOnce;
  private long pauseNanos = PAUSE_MIN_NANOS;

  Wish(Core core, Gate gate, Ticket ticket) {
    this.core = core;
    this.gate = gate;
    this.isOfAThread = ticket.isOfAThread();
    this.options = ticket.options;
    this.ttl = ticket.ttl;
    this.ifHeld = ticket.isOnce() ? IfHeld.REFUSE : IfHeld.QUEUE;
  }

  /**
   * Whether a ticket may go on with this wish, whose request has published its payload and its
   * reason. A thread does not wait in the line of those for which none does.
   */
  @GuardedBy("turn.lock")
  boolean serves(Ticket ticket, Turn turn) {
    return !(ticket.isOfAThread() && !isOfAThread && isInLine(turn))
        && ttl.equals(ticket.ttl)
        && ticket.isOnce() == (ifHeld == IfHeld.REFUSE)
        && options.mode() == ticket.options.mode()
        && options.keeping() == ticket.options.keeping()
        && options.lockDelay().equals(ticket.options.lockDelay())
        && options.why().equals(ticket.options.why())
        && options.payload().equals(ticket.options.payload());
  }

  @GuardedBy("turn.lock")
  private boolean isInLine(Turn turn) {
    return line.isPresent() && line.get().contains(this, turn);
  }

  /** A ticket that it {@link #serves} is first now. */
  @GuardedBy("turn.lock")
  void goesOnFor(Ticket ticket, Turn turn) {
    isOfAThread |= ticket.isOfAThread();
  }

  /** Whether it takes no for an answer: it asks once and does not wait. */
  boolean asksOnce() {
    return ifHeld == IfHeld.REFUSE;
  }

  /** It asks on the caller's own thread, or else when its line lets it in. */
  @GuardedBy("turn.lock")
  void begin(Runner runner, Turn turn) {
    if (runner == Runner.CALLER) {
      open(runner, turn);
    } else {
      state = IN_LINE;
      linesUp(turn);
    }
  }

  @GuardedBy("turn.lock")
  private void linesUp(Turn turn) {
    Line joined = isOfAThread ? gate.turnstile() : gate.line(turn);
    line = Optional.of(joined);
    joined.join(this, turn);
  }

  /** The line has come to it, and it asks now. */
  @GuardedBy("turn.lock")
  void letIn(Turn turn) {
    if (state instanceof Asking asking) {
      asking.request().grab(Runner.BACKGROUND, turn);
    } else {
      open(Runner.BACKGROUND, turn);
    }
  }

  @GuardedBy("turn.lock")
  private boolean wasLetIn(Turn turn) {
    return line.isPresent() && line.get().hasLetIn(this, turn);
  }

  /** The call for which it was let in is answered. */
  @GuardedBy("turn.lock")
  void leavesLine(Turn turn) {
    if (line.isPresent()) {
      line.get().leaves(this, turn);
    }
  }

  /** It has rested, and asks again: from the end of the line. */
  @GuardedBy("turn.lock")
  void asksAgain(Turn turn) {
    state = state instanceof Asking ? state : IN_LINE;
    linesUp(turn);
  }

  @GuardedBy("turn.lock")
  private void open(Runner runner, Turn turn) {
    state = new Opening(core.seam.nanos());
    gate.sessions.use(ttl, gate.name, runner, this, turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void opened(Session session, Runner runner, Turn turn) {
    if (state instanceof Over) {
      leavesLine(turn);
      return;
    }
    if (runner != Runner.CALLER && !wasLetIn(turn)) {
      begin(runner, turn); // The session of many threads was opened for them in the background.
      return;
    }
    Request request =
        new Request(
            gate.name,
            session.nextRequest(turn),
            options.mode(),
            ifHeld,
            core.settings.process(),
            options.why(),
            options.payload(),
            WholeMillis.roundedUp(options.lockDelay()));
    PendingRequest pending = new PendingRequest(core, this, session, request);
    state = new Asking(pending);
    session.begins(pending, turn);
    pending.grab(runner, turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void openingFailed(RuntimeException failure, Turn turn) {
    heard(failure, turn);
    if (state instanceof Over) {
      leavesLine(turn);
      return;
    }
    if (asksOnce() || !Failures.isRetryable(failure)) {
      leavesLine(turn);
      failed(failure, turn);
    } else {
      rest(turn);
    }
  }

  /** The session of its request is over, or its request has vanished: it goes on with another. */
  @GuardedBy("turn.lock")
  void again(Runner runner, Turn turn) {
    if (state instanceof Over) {
      return;
    }
    if (++sessionsEnded <= PERSISTENCE) {
      begin(runner, turn);
      return;
    }
    BackendFailure hopeless =
        new BackendFailure(
            Effect.NONE, "one session after the other ended before the lock was granted", null);
    if (asksOnce()) {
      failed(hopeless, turn);
    } else {
      trouble = Optional.of(hopeless); // Of its own: the store has answered.
      rest(turn);
    }
  }

  @GuardedBy("turn.lock")
  private void rest(Turn turn) {
    leavesLine(turn);
    if (line.isPresent()) {
      line.get().forget(this, turn);
    }
    state = RESTING;
    turn.after(nextPauseNanos(turn), new BeginAfterRest());
  }

  private final class BeginAfterRest implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      if (state instanceof Resting) {
        asksAgain(turn);
      }
    }
  }

  @GuardedBy("turn.lock")
  void granted(Hold hold, Turn turn) {
    state = OVER;
    gate.granted(this, hold, turn);
  }

  @GuardedBy("turn.lock")
  void refused(Turn turn) {
    state = OVER;
    gate.refused(this, turn);
  }

  @GuardedBy("turn.lock")
  void failed(RuntimeException failure, Turn turn) {
    state = OVER;
    gate.failed(this, failure, turn);
  }

  @GuardedBy("turn.lock")
  void queueFull(Attempt.QueueFull full, Turn turn) {
    failed(
        new LockQueueFullException(
            "The lock \"%s\" at %s has as many waiting requests as may be (%s), so this one was turned away. Ask again later, shorten what is done under the lock, or raise maxWaiters where the store allows it."
                .formatted(gate.publicName(), core.backend.describe(), full.limit())),
        turn);
  }

  /** No thread wants it any more. */
  @GuardedBy("turn.lock")
  void abandon(Turn turn) {
    State before = state;
    state = OVER;
    if (line.isPresent()) {
      line.get().forget(this, turn);
    }
    if (before instanceof Asking asking) {
      asking.request().abandon(turn);
    } else if (!(before instanceof Opening)) {
      leavesLine(turn);
    }
  }

  /**
   * The caller's own thread cannot leave a call, so its deadline is about how long the caller
   * waits. Elsewhere it is not: other threads may want the same request for longer.
   */
  Duration timeout(Runner runner) {
    Duration wait = options.maxWait().orElse(Core.CALL_TIMEOUT);
    if (runner != Runner.CALLER || wait.isZero() || wait.compareTo(Core.CALL_TIMEOUT) >= 0) {
      return Core.CALL_TIMEOUT;
    }
    return wait.compareTo(CALL_TIMEOUT_MIN) < 0 ? CALL_TIMEOUT_MIN : wait;
  }

  /** How long to rest before the next attempt: twice as long each time, up to a second. */
  @GuardedBy("turn.lock")
  long nextPauseNanos(Turn turn) {
    long pause = pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, PAUSE_MAX_NANOS);
    return pause;
  }

  /** The store has told how long the next attempt has to wait. */
  @GuardedBy("turn.lock")
  void nextPauseIs(long nanos, Turn turn) {
    pauseNanos = nanos;
  }

  /** Whether one more dead holder may be removed by the present attempt. */
  @GuardedBy("turn.lock")
  boolean mayRemoveAnotherHolder(Turn turn) {
    return ++holdersRemoved <= HOLDERS_REMOVED_MAX;
  }

  /** Its first removals are the caller's own calls; it does not leave these for its time's sake. */
  @GuardedBy("turn.lock")
  Runner removalRunner(Runner runner, Turn turn) {
    return holdersRemoved <= PERSISTENCE ? runner : Runner.BACKGROUND;
  }

  /** Whether the present attempt may ask once more without a pause. */
  @GuardedBy("turn.lock")
  boolean mayAskAtOnceAgain(Turn turn) {
    return ++askedAtOnce <= PERSISTENCE;
  }

  /** Whether dead waiters may be removed once more by the present attempt. */
  @GuardedBy("turn.lock")
  boolean mayRemoveWaitersAgain(Turn turn) {
    return ++waitersRemoved <= PERSISTENCE;
  }

  @GuardedBy("turn.lock")
  void mayRemoveHoldersAgain(Turn turn) {
    holdersRemoved = 0;
    waitersRemoved = 0;
    askedAtOnce = 0;
  }

  /**
   * The failure that the last call ended with, if it did. While it lines up that of the others in
   * its line comes first.
   */
  @GuardedBy("turn.lock")
  Optional<RuntimeException> trouble(Turn turn) {
    Optional<RuntimeException> ofLine =
        isInLine(turn) ? line.orElseThrow().trouble(turn) : Optional.empty();
    return ofLine.isPresent() ? ofLine : trouble;
  }

  /** The store has answered under that session. */
  @GuardedBy("turn.lock")
  void heard(Session session, Turn turn) {
    trouble = Optional.empty();
    if (line.isPresent()) {
      line.get().answered(this, turn);
    }
    gate.answered(session, turn);
  }

  /**
   * A call for it has failed. A caller's thread that was interrupted in its call knows nothing of
   * the store that the others who wait here could be told.
   */
  @GuardedBy("turn.lock")
  void heard(RuntimeException failure, Turn turn) {
    if (!Failures.isRetryable(failure) || Thread.currentThread().isInterrupted()) {
      return;
    }
    trouble = Optional.of(failure);
    if (line.isPresent()) {
      line.get().failed(this, failure, turn);
    }
  }

  /** The store has told how its request stands in the queue. */
  @GuardedBy("turn.lock")
  void looked(Turn turn) {
    trouble = Optional.empty();
  }

  /** The store could not be asked how its request stands: if its time ends now, that is why. */
  @GuardedBy("turn.lock")
  void lookFailed(RuntimeException failure, Turn turn) {
    if (Failures.isRetryable(failure)) {
      trouble = Optional.of(failure);
    }
  }

  /** Why it is not granted, as far as is known, for people. */
  @GuardedBy("turn.lock")
  Optional<String> whyNotGranted(Turn turn) {
    return state instanceof InLine && whyNotGranted.isEmpty()
        ? Optional.of("this client was still asking for other locks")
        : whyNotGranted;
  }

  @GuardedBy("turn.lock")
  void whyNotGranted(Optional<String> why, Turn turn) {
    whyNotGranted = why;
  }

  /** For how long a call has been under way that it cannot do without, if one is. */
  @GuardedBy("turn.lock")
  Optional<Duration> unansweredFor(Turn turn) {
    if (state instanceof Opening opening) {
      return Optional.of(Duration.ofNanos(core.seam.nanos() - opening.sinceNanos()));
    }
    if (isInLine(turn)) {
      return line.orElseThrow().unansweredFor(turn);
    }
    return state instanceof Asking asking ? asking.request().unansweredFor(turn) : Optional.empty();
  }
}
