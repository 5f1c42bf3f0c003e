package io.holdfast.election;

import io.holdfast.Grant;
import io.holdfast.error.LossReason;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One term of a candidate: from its grant to the first reason for its end. Thread-safe. */
final class Term {

  private final TermGrant grant;
  private final Thread thread;

  /** Guarded by this, as what follows. */
  private @Nullable LossReason over;

  /** Whether the candidate itself has ended it, on the thread that it was lent. */
  private boolean isGivenUp;

  private boolean isBeingTold;

  /**
   * Begins a term.
   *
   * @param thread calls {@code elected}, and is interrupted there when the term is over
   */
  Term(Grant grant, Thread thread) {
    this.grant = new TermGrant(grant, this::end);
    this.thread = thread;
  }

  /** Returns the grant for the candidate. The term is over when it was released. */
  Grant grant() {
    return grant;
  }

  /** Returns whether that is true of its grant. */
  boolean is(Predicate<Grant> state) {
    return grant.is(state);
  }

  /** Ends the term, unless it is over. The first reason counts. */
  synchronized void end(LossReason reason) {
    if (over != null) {
      return;
    }
    over = reason;
    isGivenUp = reason == LossReason.RELEASED && Thread.currentThread() == thread;
    if (isBeingTold) {
      thread.interrupt();
    }
    notifyAll();
  }

  /** Returns whether the candidate is to be told that it is elected: not if the term is over. */
  synchronized boolean beginTelling() {
    isBeingTold = over == null;
    return isBeingTold;
  }

  /** From now on the end of the term interrupts no thread. */
  synchronized void endTelling() {
    isBeingTold = false;
    boolean ignored = Thread.interrupted();
  }

  /** Waits for the end, which every close, release and loss brings. */
  synchronized LossReason awaitEnd() {
    while (over == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The candidate has interrupted its own thread. The end of the term is still to come.
      }
    }
    return over;
  }

  /**
   * Returns whether the candidate has thrown that because the term is over. If it has given it up
   * itself, its work may have failed before.
   */
  synchronized boolean isWhy(Throwable thrown) {
    return over != null && (!isGivenUp || thrown instanceof InterruptedException);
  }
}
