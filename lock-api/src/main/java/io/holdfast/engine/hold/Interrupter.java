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
    /** One of them has set it, and it was not seen to be clear since. */
    boolean isOurs;
  }

  private static final ThreadLocal<@Nullable Interrupter> INNERMOST = new ThreadLocal<>();

  private final HeldGrant grant;
  private final Thread body = Thread.currentThread();
  private final @Nullable Interrupter outer = INNERMOST.get();
  private final Flag flag = outer == null ? new Flag() : outer.flag;
  private final int outerBefore = outerInterrupts();
  private int interrupts;
  private boolean isPending;
  private boolean isForeignPending;
  private boolean isHeldBack;
  private volatile boolean isDone;

  /** Made by the thread that runs the body. */
  public Interrupter(HeldGrant grant) {
    this.grant = grant;
    INNERMOST.set(this);
  }

  /** The grant is in trouble, or was when this was put on its way. From any thread. */
  void interrupt() {
    synchronized (flag) {
      if (!isDone && !grant.inForce() && !grant.isReleased()) {
        interrupts++;
        isPending = true;
        if (!isHeldBack) {
          send();
        }
      }
    }
  }

  private void send() {
    boolean isSet = body.isInterrupted();
    isForeignPending |= isSet && !flag.isOurs;
    flag.isOurs = true;
    body.interrupt();
  }

  /** The body asks itself what becomes of its grant: it need not be interrupted for that. */
  void withoutInterrupts(Runnable waiting) {
    if (isDone || !Thread.currentThread().equals(body)) {
      waiting.run();
      return;
    }
    synchronized (flag) {
      isHeldBack = true;
      takeBack();
    }
    try {
      waiting.run();
    } finally {
      synchronized (flag) {
        isHeldBack = false;
        if (isPending && !grant.inForce()) {
          send();
        }
        isPending = false;
      }
    }
  }

  /** The thread's flag is as it would be without this one. */
  private void takeBack() {
    if (isPending) {
      boolean unused = Thread.interrupted();
      flag.isOurs = false;
    }
    isPending = false;
    if (isForeignPending) {
      body.interrupt();
    } else if (outerInterrupts() > outerBefore) {
      body.interrupt();
      flag.isOurs = true;
    }
  }

  private int outerInterrupts() {
    int sum = 0;
    for (Interrupter each = outer; each != null; each = each.outer) {
      sum += each.interrupts;
    }
    return sum;
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
    synchronized (flag) {
      isPending &= !answersAnInterrupt; // It took ours with it: a pending one is from elsewhere.
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
      if (answersAnInterrupt && interrupts == 0) {
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
        takeBack();
        INNERMOST.set(outer);
      }
    }
  }
}
