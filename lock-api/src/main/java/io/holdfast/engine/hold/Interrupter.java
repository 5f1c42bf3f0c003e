package io.holdfast.engine.hold;

import io.holdfast.engine.seam.InterruptFlag;
import io.holdfast.error.HoldfastException;
import io.holdfast.error.LockLostException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that runs a body while its grant is in trouble, but never after the body is
 * done, and tells its own interrupts from those of others: of bodies around this one, and of other
 * code that wants the thread to stop.
 */
public final class Interrupter {

  private static final ThreadLocal<@Nullable Interrupter> INNERMOST = new ThreadLocal<>();

  private final HeldGrant grant;
  private final @Nullable Interrupter outer = INNERMOST.get();

  /** Shared by the interrupters of one thread; guards the state of them all. */
  private final InterruptFlag flag = outer == null ? InterruptFlag.watch() : outer.flag;

  /** Whether the body is to know of trouble of its grant, as far as is known here. */
  private boolean isPending;

  /** Whether the body has answered an interrupt that was to tell it, which it may still throw. */
  private boolean hasAnswered;

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
    if (flag.isAnswered()) {
      allHaveAnswered(INNERMOST.get());
    }
  }

  private static void allHaveAnswered(@Nullable Interrupter from) {
    for (Interrupter each = from; each != null; each = each.outer) {
      each.hasAnswered |= each.isPending;
      each.isPending = false;
    }
  }

  /** The grant is in trouble, or was when this was put on its way. From any thread. */
  void interrupt() {
    synchronized (flag) {
      if (!isDone && isInTrouble()) {
        isPending = true;
        flag.send();
      }
    }
  }

  private boolean isInTrouble() {
    return !grant.inForce() && !grant.isReleased();
  }

  /**
   * This thread asks what becomes of a grant. If bodies run on it, none of them is interrupted
   * until it knows: they often share the grant's jeopardy. A body whose own grant this is need not
   * be interrupted for that at all.
   */
  static boolean withoutInterrupts(HeldGrant asked, BooleanSupplier waiting) {
    Interrupter innermost = INNERMOST.get();
    return innermost == null ? waiting.getAsBoolean() : innermost.holdsBackUntil(waiting, asked);
  }

  private boolean holdsBackUntil(BooleanSupplier known, HeldGrant asked) {
    synchronized (flag) {
      seen();
      for (Interrupter each = this; each != null; each = each.outer) {
        each.isPending &= each.grant != asked;
        each.hasAnswered &= each.grant != asked;
      }
      flag.takeBack();
      flag.holdBack();
    }
    try {
      return known.getAsBoolean();
    } finally {
      synchronized (flag) {
        flag.holdBackNoMore();
        sendWhatIsPending();
      }
    }
  }

  /** Sends the pending interrupts. A body need not know any more of a jeopardy that is over. */
  private void sendWhatIsPending() {
    for (Interrupter each = INNERMOST.get(); each != null; each = each.outer) {
      each.isPending &= each.isInTrouble();
      if (each.isPending) {
        flag.send();
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
    boolean isInterrupt = thrown instanceof InterruptedException;
    boolean answersOneOfOurs = isInterrupt && answersOneOfOurs();
    stop();
    boolean isVerdict = thrown instanceof LockLostException && grant.gone().isPresent();
    if (isVerdict || grant.isReleased()) {
      return;
    }
    try {
      grant.check();
    } catch (HoldfastException verdict) {
      verdict.addSuppressed(thrown); // Which tells no body around this one of an interrupt.
      if (answersOneOfOurs) {
        sendToOuterAgain();
      } else if (isInterrupt) {
        Thread.currentThread().interrupt();
      }
      throw verdict;
    }
  }

  /** The body throws what an interrupt has thrown: if that was one of ours, it tells all bodies. */
  private boolean answersOneOfOurs() {
    synchronized (flag) {
      boolean isOurs = flag.isOneAnswered() || hasAnswered;
      if (isOurs) {
        allHaveAnswered(this);
      }
      return isOurs;
    }
  }

  private void sendToOuterAgain() {
    synchronized (flag) {
      for (Interrupter each = outer; each != null; each = each.outer) {
        each.isPending |= each.hasAnswered;
        each.hasAnswered = false;
      }
      sendWhatIsPending();
    }
  }

  /** From now on it interrupts no more, and the thread's flag is as it would be without it. */
  public void stop() {
    synchronized (flag) {
      if (!isDone) {
        isDone = true;
        INNERMOST.set(outer);
        flag.takeBack();
        if (outer == null) {
          InterruptFlag.unwatch();
        }
        sendWhatIsPending();
      }
    }
  }
}
