package io.holdfast.engine.seam;

import org.jspecify.annotations.Nullable;

/**
 * The interrupt flag of a thread that the engine interrupts itself, which tells its own interrupts
 * from those of others. Its monitor guards its state.
 */
public final class InterruptFlag {

  private static final ThreadLocal<@Nullable InterruptFlag> WATCHED = new ThreadLocal<>();

  private final Thread thread = Thread.currentThread();

  /** How often the engine has set it, each time when it was clear, as far as is not answered. */
  private int sent;

  /** Of how many things that the thread does now it is kept away. */
  private int keptAway;

  /** How many of them have found it set, and set it again when they are done. */
  private int setAside;

  /** The engine would have set it meanwhile. */
  private boolean isOwed;

  private InterruptFlag() {}

  /** From now on the engine may interrupt this thread. */
  public static InterruptFlag watch() {
    InterruptFlag flag = new InterruptFlag();
    WATCHED.set(flag);
    return flag;
  }

  /** The engine interrupts this thread no more. */
  public static void unwatch() {
    WATCHED.remove();
  }

  static @Nullable InterruptFlag watched() {
    return WATCHED.get();
  }

  /** Where the thread comes by with a clear flag, it has answered all that was sent. */
  public synchronized boolean isAnswered() {
    if (thread.isInterrupted() || setAside > 0) {
      return false;
    }
    sent = 0;
    return true;
  }

  /**
   * The thread has answered an interrupt. Returns whether that was one of the engine's. If no other
   * was sent, one that is pending is from elsewhere.
   */
  public synchronized boolean isOneAnswered() {
    boolean isOwn = sent > 0;
    sent = thread.isInterrupted() && sent > 1 ? 1 : 0;
    return isOwn;
  }

  /** Sets it for the engine, unless it is set already: that breaks the same calls. */
  public synchronized void send() {
    if (keptAway > 0) {
      isOwed = true;
    } else if (!thread.isInterrupted()) {
      sent++;
      thread.interrupt();
    }
  }

  /** It is as it would be without the engine. By its own thread. */
  public synchronized void takeBack() {
    isOwed = false;
    if (sent > 0) {
      boolean unused = Thread.interrupted();
      sent = 0;
    }
  }

  /** It is not set for the engine, which knows itself which interrupt it sends afterwards. */
  public synchronized void holdBack() {
    keptAway++;
  }

  /** From now on it is. */
  public synchronized void holdBackNoMore() {
    keptAway--;
    isOwed = false;
  }

  synchronized void isKeptAway() {
    keptAway++;
  }

  synchronized void isSetAside() {
    setAside++;
  }

  /**
   * While the engine is kept away, an interrupt of others has come: it stays, regardless of any
   * that was sent.
   */
  synchronized void isFromElsewhere() {
    sent = 0;
  }

  synchronized void isPutBack(boolean wasSet) {
    keptAway--;
    if (wasSet) {
      setAside--;
      thread.interrupt();
    }
    if (isOwed && keptAway == 0) {
      isOwed = false;
      send();
    }
  }
}
