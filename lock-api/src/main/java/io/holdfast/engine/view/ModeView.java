package io.holdfast.engine.view;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.engine.seam.InterruptsAside;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.error.LossReason;
import io.holdfast.view.LockView;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** A lock in one mode, bound to threads. The first lock of a thread acquires, the others count. */
public final class ModeView implements LockView {

  private final DistributedLock lock;
  private final ThreadHolds holds;
  private final AcquireOptions options;

  /**
   * Makes a view.
   *
   * @param options with the mode, and neither a longest wait nor a word on interrupts
   */
  public ModeView(DistributedLock lock, ThreadHolds holds, AcquireOptions options) {
    this.lock = lock;
    this.holds = holds;
    this.options = options;
  }

  @Override
  public LockName name() {
    return lock.name();
  }

  @Override
  public LockMode mode() {
    return options.mode();
  }

  private Optional<ThreadHold> current() {
    return holds.current(name());
  }

  private Optional<ThreadHold> currentInThisMode() {
    return current().filter(hold -> hold.count(mode()) > 0);
  }

  @Override
  public Optional<Grant> grant() {
    return currentInThisMode().map(ThreadHold::grant);
  }

  @Override
  public int holdCount() {
    return current().map(hold -> hold.count(mode())).orElse(0);
  }

  @Override
  public boolean isHeldByCurrentThread() {
    return currentInThisMode()
        .filter(hold -> hold.covers(mode()) && hold.grant().isHeld())
        .isPresent();
  }

  // --- lock ---

  @Override
  public void lock() {
    Optional<ThreadHold> hold = current();
    if (hold.isEmpty()) {
      begins(lock.acquire(options.uninterruptibly()));
      return;
    }
    requireCovered(hold.get());
    awaitVerdict(hold.get().grant());
    holdsOnceMore(hold.get());
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    boolean unused = locksWithin(Optional.empty());
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return locksWithin(Optional.of(Duration.ofNanos(Math.max(0, unit.toNanos(time)))));
  }

  private boolean locksWithin(Optional<Duration> maxWait) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("Interrupted before lock \"" + name() + "\" was asked for");
    }
    try {
      Optional<ThreadHold> hold = current();
      if (hold.isEmpty()) {
        begins(lock.acquire(maxWait.map(options::maxWait).orElse(options)));
        return true;
      }
      requireCovered(hold.get());
      return reenters(hold.get(), maxWait.orElse(EngineSettings.DURATION_MAX));
    } catch (LockTimeoutException e) {
      return false;
    } catch (LockInterruptedException e) {
      boolean cleared = Thread.interrupted();
      assert cleared;
      InterruptedException interrupted = new InterruptedException(e.getMessage());
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  @Override
  public boolean tryLock() {
    Optional<ThreadHold> hold = current();
    if (hold.isPresent()) {
      requireNotLost(hold.get());
      return hold.get().covers(mode()) && reenters(hold.get(), Duration.ZERO);
    }
    Optional<Grant> granted = lock.tryAcquire(options.maxWait(Duration.ZERO).uninterruptibly());
    granted.ifPresent(this::begins);
    return granted.isPresent();
  }

  private void begins(Grant granted) {
    holdsOnceMore(ThreadHold.none((HeldGrant) granted));
  }

  private boolean reenters(ThreadHold hold, Duration maxWait) {
    if (!hold.grant().isHeldWithin(maxWait)) {
      return false;
    }
    holdsOnceMore(hold);
    return true;
  }

  private void holdsOnceMore(ThreadHold hold) {
    holds.currentIs(name(), hold.once(mode()));
  }

  /** A lost hold counts for nothing, in either mode. */
  private static void requireNotLost(ThreadHold hold) {
    Optional<LossReason> gone = hold.grant().gone();
    if (gone.isPresent()) {
      throw hold.grant().lost(gone.get());
    }
  }

  private void requireCovered(ThreadHold hold) {
    requireNotLost(hold);
    if (!hold.covers(mode())) {
      throw new AlreadyHeldException(
          "This thread holds the lock \"%s\" in shared mode, and asks for exclusive mode: it would wait for itself. Unlock the read lock first, or begin with the write lock."
              .formatted(name()));
    }
  }

  /** Waits through interrupts: one that comes is pending afterwards. */
  private static void awaitVerdict(HeldGrant grant) {
    InterruptsAside interrupts = null;
    try {
      while (true) {
        try {
          grant.check();
          return;
        } catch (LockInterruptedException e) {
          if (interrupts == null) {
            interrupts = new InterruptsAside();
          } else {
            interrupts.come();
          }
        }
      }
    } finally {
      if (interrupts != null) {
        interrupts.putBack();
      }
    }
  }

  // --- unlock ---

  @Override
  public void unlock() {
    ThreadHold hold =
        currentInThisMode()
            .orElseThrow(
                () ->
                    new IllegalMonitorStateException(
                        "The thread \"%s\" does not hold the lock \"%s\" in %s mode."
                            .formatted(
                                Thread.currentThread().getName(),
                                name(),
                                mode().name().toLowerCase(Locale.ROOT))));
    ThreadHold left = hold.onceLess(mode());
    holds.currentIs(name(), left);
    Optional<LockLostException> loss = HoldEnd.of(hold, left);
    if (loss.isPresent()) {
      IllegalMonitorStateException lost =
          new IllegalMonitorStateException(
              "The lock \"%s\" was lost before it was unlocked.".formatted(name()));
      lost.initCause(loss.get());
      throw lost;
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException(
        "The lock \"%s\" has no conditions: they would have to wake threads of other processes."
            .formatted(name()));
  }

  @Override
  public String toString() {
    String state =
        mode() == LockMode.SHARED
            ? "Read locks = " + holds.count(name(), LockMode.SHARED)
            : holds.owner(name()).map(owner -> "Locked by thread " + owner).orElse("Unlocked");
    return "LockView of " + lock + "[" + state + "]";
  }
}
