package io.holdfast.engine.seam;

import org.jspecify.annotations.Nullable;

/**
 * The interrupts of this thread, kept from breaking what it does now: they are pending afterwards.
 * The engine's own do not come meanwhile.
 */
public final class InterruptsAside {

  private final @Nullable InterruptFlag watched = InterruptFlag.watched();

  private boolean hasCome;

  /** Begins, with a clear flag. */
  public InterruptsAside() {
    if (watched != null) {
      watched.isKeptAway();
    }
    if (Thread.currentThread().isInterrupted()) {
      setAside();
    }
  }

  /** One has come, which is of other code. The flag is clear afterwards. */
  public void come() {
    if (watched != null) {
      watched.isFromElsewhere();
    }
    setAside();
  }

  private void setAside() {
    boolean unused = Thread.interrupted();
    if (!hasCome) {
      hasCome = true;
      if (watched != null) {
        watched.isSetAside();
      }
    }
  }

  /** An interrupt that was set aside is pending from now on. */
  public void putBack() {
    if (watched != null) {
      watched.isPutBack(hasCome);
    } else if (hasCome) {
      Thread.currentThread().interrupt();
    }
  }
}
