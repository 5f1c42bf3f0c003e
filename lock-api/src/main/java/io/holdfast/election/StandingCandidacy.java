package io.holdfast.election;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A candidacy and its thread, which waits for the lock, leads, and waits again. */
final class StandingCandidacy implements Candidacy {

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final DistributedLock lock;
  private final AcquireOptions options;
  private final Candidate candidate;
  private final Stages stages;
  private final Predicate<Grant> inForce;
  private final BiConsumer<Grant, Consumer<LossReason>> onEndOfGrant;
  private final Consumer<StandingCandidacy> onEnd;
  private final CandidacyLog log;
  private final Thread thread;

  /** Of the thread alone. */
  private Duration pause = FIRST_PAUSE;

  /** Guards what follows. Nothing foreign is called while it is held. */
  private final Object monitor = new Object();

  private boolean isWaiting;
  private @Nullable Term term;
  private @Nullable LossReason ended;

  StandingCandidacy(
      DistributedLock lock,
      AcquireOptions options,
      Candidate candidate,
      Stages stages,
      Predicate<Grant> inForce,
      BiConsumer<Grant, Consumer<LossReason>> onEndOfGrant,
      Consumer<StandingCandidacy> onEnd) {
    this.lock = lock;
    this.options = options;
    this.candidate = candidate;
    this.stages = stages;
    this.inForce = inForce;
    this.onEndOfGrant = onEndOfGrant;
    this.onEnd = onEnd;
    this.log = new CandidacyLog(lock.name());
    this.thread = new Thread(this::stand, "holdfast-election-" + lock.name());
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void stand() {
    try {
      while (!hasEnded()) {
        standOnce();
      }
    } finally {
      onEnd.accept(this);
    }
  }

  private void standOnce() {
    try {
      acquire().ifPresent(this::lead);
    } catch (Throwable e) { // Languages that do not check exceptions throw any.
      log.roundFailed(e);
      pause();
    }
  }

  private Optional<Grant> acquire() {
    RuntimeException problem;
    try {
      return beginWaiting() ? Optional.of(lock.acquire(options)) : Optional.empty();
    } catch (LockInterruptedException e) {
      return Optional.empty(); // Whether it still stands is asked before the next attempt.
    } catch (ClientClosedException e) {
      end(LossReason.CLIENT_CLOSED);
      return Optional.empty();
    } catch (RuntimeException e) {
      problem = e;
    } catch (Error e) {
      problem = new IllegalStateException(e); // It may pass, and the candidate stands on.
    } finally {
      endWaiting();
    }
    log.standingFailed(pause, problem);
    tell("failed", () -> candidate.failed(problem));
    pause();
    return Optional.empty();
  }

  /** The outcome of a grant. */
  private enum Outcome {
    /** The candidate was told nothing: the grant was lost, or it stands no more. */
    NOT_ELECTED,
    /** The candidate was told nothing: another one of this client is still being told. */
    STAGE_TAKEN,
    /** The candidate was told that it leads, and that it leads no more. */
    LED,
    /** The same, and it has thrown when it was told that it leads. */
    FAILED
  }

  /** Leads until the term is over, and gives the grant back. */
  private void lead(Grant grant) {
    Outcome outcome = Outcome.LED; // Also if this throws, it may have led.
    try {
      outcome = leadOnStage(grant);
    } finally {
      giveBack(grant, outcome);
    }
    if (outcome == Outcome.FAILED) {
      pause();
    } else {
      pause = FIRST_PAUSE;
    }
    if (outcome == Outcome.STAGE_TAKEN) {
      awaitStage();
    }
  }

  /** Nothing was done on a lock on which no candidate has led: it does not stay taken. */
  private static void giveBack(Grant grant, Outcome outcome) {
    ReleaseOutcome ignored =
        switch (outcome) {
          case NOT_ELECTED, STAGE_TAKEN -> grant.releaseUnused();
          case LED, FAILED -> grant.release();
        };
  }

  /**
   * Leads when no other candidacy of this client is being told anything. If that takes longer than
   * a lease, another candidate may lead meanwhile: the client would keep the lock and not use it.
   */
  private Outcome leadOnStage(Grant grant) {
    try {
      if (!beginWaiting()) {
        return Outcome.NOT_ELECTED;
      }
      if (!stages.enter(lock.name(), grant.remaining())) {
        return Outcome.STAGE_TAKEN;
      }
    } catch (InterruptedException e) {
      return Outcome.NOT_ELECTED; // It stands no more.
    } finally {
      endWaiting();
    }
    try {
      Term begun = new Term(grant, thread);
      onEndOfGrant.accept(grant, begun::end);
      return lead(begun);
    } finally {
      stages.leave(lock.name());
    }
  }

  private void awaitStage() {
    try {
      if (beginWaiting()) {
        stages.awaitFree(lock.name());
      }
    } catch (InterruptedException e) {
      // It stands no more, which is asked before the next attempt.
    } finally {
      endWaiting();
    }
  }

  private Outcome lead(Term begun) {
    // A loss before this, while the last leader was being deposed, is told of only later.
    if (!begun.grant().isHeld() || !begin(begun) || !begun.beginTelling()) {
      return Outcome.NOT_ELECTED;
    }
    try {
      return tellElected(begun);
    } finally {
      depose(begun);
    }
  }

  /** A candidate that was told that it leads is always told that it leads no more. */
  private void depose(Term begun) {
    LossReason reason = begun.awaitEnd();
    synchronized (monitor) {
      term = null;
    }
    tell("deposed", () -> candidate.deposed(reason));
  }

  private boolean begin(Term begun) {
    synchronized (monitor) {
      term = ended == null ? begun : null;
      return ended == null;
    }
  }

  private Outcome tellElected(Term begun) {
    try {
      candidate.elected(begun.grant());
      return Outcome.LED;
    } catch (Throwable e) { // Languages that do not check exceptions throw any.
      if (begun.isWhy(e)) {
        return Outcome.LED; // It was interrupted, as it had to be.
      }
      begun.end(LossReason.RELEASED);
      log.leaderFailed(e);
      return Outcome.FAILED;
    } finally {
      begun.endTelling();
    }
  }

  private void tell(String what, Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      log.hasThrown(what, e);
    }
  }

  /** Returns whether there is anything to wait for. From now on the end interrupts the thread. */
  private boolean beginWaiting() {
    synchronized (monitor) {
      // Left by the candidate, on the thread that it was lent.
      boolean ignored = Thread.interrupted();
      isWaiting = ended == null;
      return isWaiting;
    }
  }

  private void endWaiting() {
    synchronized (monitor) {
      isWaiting = false;
      // It may have come when there was nothing to interrupt any more.
      boolean ignored = Thread.interrupted();
    }
  }

  /** Lets some time pass before the next attempt, unless it stands no more; more each time. */
  private void pause() {
    long endNanos = System.nanoTime() + pause.toNanos();
    synchronized (monitor) {
      long leftMillis = pause.toMillis();
      while (ended == null && leftMillis > 0) {
        try {
          monitor.wait(leftMillis);
        } catch (InterruptedException e) {
          // Left by the candidate. The pause goes on.
        }
        leftMillis = (endNanos - System.nanoTime()) / 1_000_000;
      }
    }
    Duration longer = pause.multipliedBy(2);
    pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
  }

  private boolean hasEnded() {
    synchronized (monitor) {
      return ended != null;
    }
  }

  /** Stands no more, from soon on. */
  void end(LossReason reason) {
    @Nullable Term last;
    synchronized (monitor) {
      if (ended != null) {
        return;
      }
      ended = reason;
      last = term;
      if (isWaiting) {
        thread.interrupt();
      }
      monitor.notifyAll();
    }
    if (last != null) {
      last.end(reason);
    }
  }

  @Override
  public Optional<Grant> term() {
    synchronized (monitor) {
      return Optional.ofNullable(term).filter(present -> present.is(inForce)).map(Term::grant);
    }
  }

  @Override
  public void resign() {
    @Nullable Term last;
    synchronized (monitor) {
      last = term;
    }
    if (last != null) {
      last.end(LossReason.RELEASED);
    }
  }

  @Override
  public void close() {
    end(LossReason.RELEASED);
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
