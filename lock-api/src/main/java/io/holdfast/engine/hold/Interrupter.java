package io.holdfast.engine.hold;

import io.holdfast.error.HoldfastException;
import io.holdfast.error.LockLostException;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that runs a body while its grant is in trouble, but never after the body is
 * done, and tells its own interrupts from those of others: of bodies around this one, and of other
 * code that wants the thread to stop.
 */
public final class Interrupter {

  /** What the interrupters of one thread share; guards the state of them all. */
  private static final class Flag {
    /** How often they have set it, each time when it was clear, since the body was seen to. */
    int sent;

    /** None of them sets it now. */
    boolean isHeldBack;
  }

  private static final ThreadLocal<@Nullable Interrupter> INNERMOST = new ThreadLocal<>();

  private final HeldGrant grant;
  private final Thread body = Thread.currentThread();
  private final @Nullable Interrupter outer = INNERMOST.get();
  private final Flag flag = outer == null ? new Flag() : outer.flag;

  /** Whether it has interrupted the body at all. */
  private boolean hasInterrupted;

  /** Whether the body is to know of trouble of its grant, as far as is known here. */
  private boolean isPending;

  private volatile boolean isDone;

  /** Made by the thread that runs the body. */
  public Interrupter(HeldGrant grant) {
    this.grant = grant;
    synchronized (flag) {
      seen();
      INNERMOST.set(this);
    }
  }

  /** Where the body's thread comes by with a clear flag, it has answered all that was sent. */
  private void seen() {
    if (!body.isInterrupted()) {
      flag.sent = 0;
      for (Interrupter each = INNERMOST.get(); each != null; each = each.outer) {
        each.isPending = false;
      }
    }
  }

  /** The grant is in trouble, or was when this was put on its way. From any thread. */
  void interrupt() {
    synchronized (flag) {
      if (!isDone && isInTrouble()) {
        isPending = true;
        if (!flag.isHeldBack) {
          send();
        }
      }
    }
  }

  private boolean isInTrouble() {
    return !grant.inForce() && !grant.isReleased();
  }

  /** A flag that is set already, by this or by other code, breaks the same calls of the body. */
  private void send() {
    if (!body.isInterrupted()) {
      hasInterrupted = true;
      flag.sent++;
      body.interrupt();
    }
  }

  /**
   * The body asks itself what becomes of its grant: it need not be interrupted for that. Nor do the
   * bodies around it, which share its thread and often its jeopardy, until it knows.
   */
  void withoutInterrupts(Runnable waiting) {
    Interrupter innermost = INNERMOST.get();
    if (innermost == null || innermost.flag != flag) { // Another thread, or after the bodies.
      waiting.run();
      return;
    }
    synchronized (flag) {
      seen();
      flag.isHeldBack = true;
      isPending = false;
      takeBack();
    }
    try {
      waiting.run();
    } finally {
      synchronized (flag) {
        flag.isHeldBack = false;
        sendWhatIsPending();
      }
    }
  }

  /** The thread's flag is as it would be without any of them. */
  private void takeBack() {
    if (flag.sent > 0) {
      boolean unused = Thread.interrupted();
      flag.sent = 0;
    }
  }

  /** What has become of a jeopardy that is over its body need not know any more. */
  private void sendWhatIsPending() {
    for (Interrupter each = INNERMOST.get(); each != null; each = each.outer) {
      each.isPending &= each.isInTrouble();
      if (each.isPending) {
        each.send();
      }
    }
  }

  /** The body has returned. Throws if its grant is lost: it may have hidden that. */
  public void ends() {
    stop();
    if (!grant.isReleased()) {
      grant.check();
    }
  }

  /** The body has thrown: that counts for less than the loss of its grant. */
  public void ends(Exception thrown) {
    boolean answersAnInterrupt = thrown instanceof InterruptedException;
    if (answersAnInterrupt) {
      synchronized (flag) {
        // It took one of ours with it. If there was no other, a pending one is from elsewhere.
        flag.sent = body.isInterrupted() && flag.sent > 1 ? 1 : 0;
      }
    }
    stop();
    boolean isVerdict = thrown instanceof LockLostException && grant.gone().isPresent();
    if (isVerdict || grant.isReleased()) {
      return;
    }
    try {
      grant.check();
    } catch (HoldfastException verdict) {
      verdict.addSuppressed(thrown);
      if (answersAnInterrupt && !hasInterrupted) {
        Thread.currentThread()
            .interrupt(); // An interrupt from elsewhere, which this exception does not tell.
      }
      throw verdict;
    }
  }

  /** From now on it interrupts no more, and the thread's flag is as it would be without it. */
  public void stop() {
    synchronized (flag) {
      if (!isDone) {
        isDone = true;
        INNERMOST.set(outer);
        takeBack();
        sendWhatIsPending();
      }
    }
  }
}
