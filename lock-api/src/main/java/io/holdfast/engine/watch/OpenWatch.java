package io.holdfast.engine.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.seam.Seam.Timer;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.util.List;
import java.util.Optional;
import org.slf4j.event.Level;

/**
 * One watch. Looks at once, and again an interval after each look, or early if there was a hint.
 * One look at a time, so that no reading is older than the one before.
 */
final class OpenWatch implements Watch, HintListener {

  /**
   * After a look, hints wait for a while: a lock that changes all the time must not be read all the
   * time.
   */
  private static final long PAUSE_MAX_NANOS = 50_000_000;

  private static final int PAUSES_PER_INTERVAL = 20;

  /**
   * How long it rests at most while the store does not answer, or has stopped its hints: a watch
   * that looks seldom because it is given hints must not be without them for long.
   */
  private static final long BLIND_MAX_NANOS = LockClient.WATCH_INTERVAL.toNanos();

  private final Core core;
  private final Watches watches;
  private final String what;
  private final long intervalNanos;
  private final Telling telling;

  // Guarded by the turn.
  private Optional<Sight> sight = Optional.empty();
  private final KnownLocks known = new KnownLocks();
  private Timer nextLook = Timer.NONE;
  private long lastLookNanos;
  private Progress progress = Progress.NOT_BEGUN;
  private boolean isFailing;
  private boolean hintsHaveEnded;

  private enum Progress {
    /** It has nothing to look at yet: what a hint tells of, the first look sees. */
    NOT_BEGUN,
    RESTS,
    /** It looks when it is its turn. */
    IS_DUE,
    LOOKS,
    /** There was a hint during the look: it may have been too early. */
    LOOKS_AND_WILL_AGAIN,
    CLOSED
  }

  /**
   * Makes a watch that does not look before it {@link #begin begins}; the store's hints may be for
   * it from now on.
   */
  OpenWatch(Core core, Watches watches, String what, long intervalNanos, WatchListener listener) {
    this.core = core;
    this.watches = watches;
    this.what = what;
    this.intervalNanos = intervalNanos;
    this.telling = new Telling(core, listener, what);
  }

  /** Looks at that, from now on. */
  @GuardedBy("turn.lock")
  void begin(Sight at, Turn turn) {
    sight = Optional.of(at);
    progress = Progress.RESTS;
    lookSoon(turn);
  }

  /** Looks as soon as not too many others do. */
  @GuardedBy("turn.lock")
  private void lookSoon(Turn turn) {
    if (progress == Progress.RESTS) {
      progress = Progress.IS_DUE;
      watches.enqueue(this, turn);
    }
  }

  /** Looks, and tells the others when the look is over. */
  @GuardedBy("turn.lock")
  void look(Turn turn) {
    progress = Progress.LOOKS;
    hintsHaveEnded = false;
    known.beginLook();
    Look first = new Look(sight.orElseThrow(), Optional.empty());
    turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, first);
  }

  @GuardedBy("turn.lock")
  private void lookAfter(long delayNanos, Turn turn) {
    nextLook.cancel();
    nextLook = turn.after(delayNanos, new NextLook());
  }

  @Override
  public void accept(LockName name) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      hinted(turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  @GuardedBy("turn.lock")
  private void hinted(Turn turn) {
    if (progress == Progress.LOOKS) {
      progress = Progress.LOOKS_AND_WILL_AGAIN;
    } else if (progress == Progress.RESTS) {
      lookAfter(lastLookNanos + pauseAfterHint() - core.seam.nanos(), turn);
    }
  }

  @Override
  public void ended() {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      ended(turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  /** The next look asks for hints again, and sees what was missed. */
  @GuardedBy("turn.lock")
  private void ended(Turn turn) {
    hintsHaveEnded = true;
    if (progress == Progress.RESTS) {
      lookAfter(lastLookNanos + restWhileBlind() - core.seam.nanos(), turn);
    }
  }

  private long restWhileBlind() {
    return Math.min(intervalNanos, BLIND_MAX_NANOS);
  }

  private long pauseAfterHint() {
    return Math.min(intervalNanos / PAUSES_PER_INTERVAL, PAUSE_MAX_NANOS);
  }

  @GuardedBy("turn.lock")
  private void lookIsOver(Turn turn) {
    watches.lookIsOver(turn);
    if (progress == Progress.CLOSED) {
      return;
    }
    lastLookNanos = core.seam.nanos();
    long rest = isFailing || hintsHaveEnded ? restWhileBlind() : intervalNanos;
    lookAfter(progress == Progress.LOOKS ? rest : pauseAfterHint(), turn);
    progress = Progress.RESTS;
  }

  @Override
  public void close() {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      close(turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  /** Begins nothing more; a look or a call of the listener that has begun may go on. */
  @GuardedBy("turn.lock")
  void close(Turn turn) {
    if (progress == Progress.CLOSED) {
      return;
    }
    progress = Progress.CLOSED;
    nextLook.cancel();
    telling.close(turn);
    watches.closed(this, turn);
    turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, new StopOfSight(sight.orElseThrow()));
  }

  private final class NextLook implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      lookSoon(turn);
    }
  }

  /** One call of a look, which takes one for each page. */
  private final class Look implements StoreCall<Sight.Page> {
    private final Sight at;
    private final Optional<LockName> after;

    Look(Sight at, Optional<LockName> after) {
      this.at = at;
      this.after = after;
    }

    @Override
    public Sight.Page send(CheckedBackend store, Deadline deadline) {
      return at.read(after, deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Sight.Page page, Turn turn) {
      if (progress == Progress.CLOSED) {
        lookIsOver(turn);
        return;
      }
      if (isFailing) {
        isFailing = false;
        turn.log(Level.INFO, "the watch on " + what + " is answered again");
        telling.recovered(turn);
      }
      tell(known.see(page.seen(), core.seam.nanos()), turn);
      if (page.last().isPresent()) {
        turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, new Look(at, page.last()));
      } else {
        tell(known.endLook(core.seam.nanos()), turn);
        lookIsOver(turn);
      }
    }

    @GuardedBy("turn.lock")
    private void tell(List<LockRecord> news, Turn turn) {
      for (LockRecord lock : news) {
        telling.changed(watches.toPublic(lock), turn);
      }
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      if (!isFailing && progress != Progress.CLOSED) {
        isFailing = true;
        turn.log(
            Level.WARN, "the watch on " + what + " is not answered: " + Failures.describe(failure));
        telling.failed(Failures.toUser("Watching " + what, core.backend.describe(), failure), turn);
      }
      lookIsOver(turn);
    }
  }
}
