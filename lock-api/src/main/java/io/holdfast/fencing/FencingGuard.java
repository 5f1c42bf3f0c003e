package io.holdfast.fencing;

import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.error.StaleTokenException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in front of a resource in the memory of one process, and lets in only requests whose
 * fencing token is not older than any that was let in before. So a holder that was paused, and
 * whose lock has passed on, changes nothing any more.
 *
 * <pre>{@code
 * try (Admission admission = guard.enter(Sequencer.parse(request.header("Lock")))) {
 *   store.write(order);
 * }
 * }</pre>
 *
 * <p>It keeps two marks for each lock. A request in shared mode must not have a smaller token than
 * the greatest exclusive one; an exclusive request must besides have a greater token than every
 * shared one. Tokens of readers may fall: the younger one of those that share may leave first.
 *
 * <p>A newer token can arrive while a request with an older one is still at work. The newer request
 * then waits until the older ones have left, or has them cancelled, as it asks. Readers do not wait
 * for readers.
 *
 * <p>Its memory is bounded. When there are too many names, the one that was not used for the
 * longest time is forgotten, and its marks raise a floor: for a name that is not remembered, tokens
 * below the floor are refused. That may refuse a rightful holder of a lock that was not seen
 * before; it never lets in a stale one.
 *
 * <p>Thread-safe. Waits can be interrupted. No lock is held while an action of the application's
 * runs.
 */
public final class FencingGuard {

  /** The way of a request with older ones that are still at work. */
  public enum Older {
    /** It waits until they have left. */
    AWAIT,
    /** It has them cancelled ({@link Admission#onCancel}); those that cannot be are waited for. */
    CANCEL
  }

  /** So many names are remembered unless another number is given. */
  public static final int NAMES_MAX = 100_000;

  private static final Logger LOG = LoggerFactory.getLogger("io.holdfast");

  private final ReentrantLock lock = new ReentrantLock();

  /** In the order of their last use. */
  private final Map<LockName, Marks> remembered = new LinkedHashMap<>(16, 0.75f, true);

  private final int namesMax;
  private long floor;

  /**
   * The greatest token of a shared holder of a lock that was forgotten. Where a downgrade keeps the
   * token, an exclusive request with it was sent before that.
   */
  private long sharedFloor;

  private FencingGuard(int namesMax) {
    this.namesMax = namesMax;
  }

  /** Returns a guard that remembers {@link #NAMES_MAX} names. */
  public static FencingGuard create() {
    return new FencingGuard(NAMES_MAX);
  }

  /**
   * Returns a guard that remembers so many names, and those whose requests are inside.
   *
   * @throws IllegalArgumentException if the number is not positive
   */
  public static FencingGuard remembering(int names) {
    if (names <= 0) {
      throw new IllegalArgumentException(
          "A guard must remember a positive number of names: " + names);
    }
    return new FencingGuard(names);
  }

  /** How long a request waits, from the call on. */
  private record Patience(long sinceNanos, long nanos) {

    static Patience of(Optional<Duration> maxWait) {
      return new Patience(
          System.nanoTime(), maxWait.map(TimeUnit.NANOSECONDS::convert).orElse(Long.MAX_VALUE));
    }

    boolean isEndless() {
      return nanos == Long.MAX_VALUE;
    }

    long leftNanos() {
      return isEndless() ? nanos : nanos - (System.nanoTime() - sinceNanos);
    }
  }

  /** The marks and guests of one lock. Guarded by the guard's lock. */
  private final class Marks {
    private final Condition change = lock.newCondition();
    private final List<Guest> inside = new ArrayList<>();

    /**
     * The floors when it was first seen, or seen again: the lock may have been forgotten before.
     */
    private final long forgotten = floor;

    private final long forgottenShared = sharedFloor;

    /** Zero if none was shown, as the next one. */
    private long greatestExclusive;

    private long greatestShared;
    private int waiting;

    private boolean isInUse() {
      return waiting > 0 || !inside.isEmpty();
    }

    private Optional<String> whyStale(Sequencer asks) {
      long token = asks.token().value();
      if (token < greatestExclusive) {
        return Optional.of("an exclusive holder with the token " + greatestExclusive);
      }
      if (isExclusive(asks) && token <= greatestShared) {
        return Optional.of("a shared holder with the token " + greatestShared);
      }
      return token < forgotten || (isExclusive(asks) && token <= forgottenShared)
          ? Optional.of("holders of locks that are not remembered, up to the token " + forgotten)
          : Optional.empty();
    }

    private void raise(Sequencer asks) {
      long token = asks.token().value();
      if (isExclusive(asks)) {
        greatestExclusive = Math.max(greatestExclusive, token);
      } else {
        greatestShared = Math.max(greatestShared, token);
      }
    }

    /** Those that must be gone before the request may come in. */
    private List<Guest> inTheWay(Sequencer asks) {
      return inside.stream()
          .filter(guest -> guest.sequencer.token().compareTo(asks.token()) < 0)
          .filter(guest -> isExclusive(asks) || isExclusive(guest.sequencer))
          .toList();
    }
  }

  private static boolean isExclusive(Sequencer sequencer) {
    return sequencer.mode() == LockMode.EXCLUSIVE;
  }

  /**
   * Lets a request in, after those with older tokens have left.
   *
   * @throws StaleTokenException if its token is older than one that was let in before
   * @throws LockInterruptedException if interrupted while waiting
   */
  public Admission enter(Sequencer asks) {
    return enter(asks, Older.AWAIT, Optional.empty());
  }

  /**
   * Lets a request in, after those with older tokens have left or were cancelled.
   *
   * <p>Actions that cancel run on the calling thread, one after the other, and their time is part
   * of the wait. One that runs cannot be cut off, so this method may return later than the longest
   * time by as long as one action takes; but when the time is up, no further one begins.
   *
   * @param older what to do about those with older tokens that are still at work
   * @param maxWait the longest time to wait for them, which has to be positive for any of them to
   *     be cancelled; empty for no limit
   * @throws StaleTokenException if its token is older than one that was let in before, or than one
   *     that came during the wait
   * @throws LockTimeoutException if they had not left when the time was up
   * @throws LockInterruptedException if interrupted while waiting
   */
  public Admission enter(Sequencer asks, Older older, Optional<Duration> maxWait) {
    Patience patience = Patience.of(maxWait);
    lock.lock();
    try {
      Marks marks = marksOfFresh(asks);
      marks.waiting++;
      try {
        marks.raise(asks); // From now on older ones are refused, also while this one waits.
        List<Guest> before = marks.inTheWay(asks);
        while (!before.isEmpty()) {
          requireTimeLeft(patience, asks);
          if (older != Older.CANCEL || !cancel(before)) {
            await(marks, asks, patience);
          }
          requireFresh(marks, asks);
          before = marks.inTheWay(asks);
        }
        Guest guest = new Guest(marks, asks);
        marks.inside.add(guest);
        return guest;
      } finally {
        marks.waiting--;
        forgetTheOldest();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A lock that is not remembered is not remembered for the sake of a stale request. */
  private Marks marksOfFresh(Sequencer asks) {
    Marks known = remembered.get(asks.name());
    Marks marks = known == null ? new Marks() : known;
    requireFresh(marks, asks);
    if (known == null) {
      remembered.put(asks.name(), marks);
    }
    return marks;
  }

  private static void requireFresh(Marks marks, Sequencer asks) {
    Optional<String> stale = marks.whyStale(asks);
    if (stale.isPresent()) {
      throw stale(asks, stale.get());
    }
  }

  private static StaleTokenException stale(Sequencer asks, String before) {
    return new StaleTokenException(
        "A request with the token %s for the lock \"%s\" (%s) was refused: %s was let in before. The lock has passed on; stop what relies on it."
            .formatted(asks.token(), asks.name(), asks.mode(), before));
  }

  /**
   * Cancels one of those that are in the way and can be cancelled. The lock is free meanwhile.
   * Returns false if there is none.
   */
  private boolean cancel(List<Guest> before) {
    for (Guest guest : before) {
      guest.isWantedOut = true;
      Runnable action = guest.onCancel;
      if (action != null && !guest.isCancelled) {
        guest.cancel(action);
        return true;
      }
    }
    return false;
  }

  /** Returns whether the action has done what it is for. */
  private boolean runsUnlocked(Runnable action, Sequencer cancelled) {
    lock.unlock();
    try {
      action.run();
      return true;
    } catch (Throwable e) { // Languages that do not check exceptions throw any.
      LOG.warn(
          "Cancelling a request with the token {} for the lock \"{}\" failed; newer ones wait until it has left",
          cancelled.token(),
          cancelled.name(),
          e);
      return false;
    } finally {
      lock.lock();
    }
  }

  private static void requireTimeLeft(Patience patience, Sequencer asks) {
    if (patience.leftNanos() <= 0) {
      throw new LockTimeoutException(
          "Timed out waiting for requests with older tokens of the lock \"%s\" to leave, before one with the token %s. Wait longer, or have them cancelled."
              .formatted(asks.name(), asks.token()));
    }
  }

  @SuppressWarnings("WaitNotInLoop") // The caller looks again in a loop.
  private static void await(Marks marks, Sequencer asks, Patience patience) {
    try {
      if (patience.isEndless()) {
        marks.change.await();
      } else {
        long unused = marks.change.awaitNanos(patience.leftNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockInterruptedException(
          "Interrupted while a request with the token %s waited for older ones of the lock \"%s\"; it was not let in."
              .formatted(asks.token(), asks.name()),
          e);
    }
  }

  /** A name in use is never forgotten. */
  private void forgetTheOldest() {
    Iterator<Marks> oldest = remembered.values().iterator();
    while (remembered.size() > namesMax && oldest.hasNext()) {
      Marks marks = oldest.next();
      if (!marks.isInUse()) {
        floor = Math.max(floor, Math.max(marks.greatestExclusive, marks.greatestShared));
        sharedFloor = Math.max(sharedFloor, marks.greatestShared);
        oldest.remove();
      }
    }
  }

  /** Returns the greatest token that an exclusive holder of a lock has shown; empty if none has. */
  public Optional<FencingToken> greatestExclusive(LockName name) {
    lock.lock();
    try {
      return Optional.ofNullable(remembered.get(name))
          .filter(marks -> marks.greatestExclusive > 0)
          .map(marks -> new FencingToken(marks.greatestExclusive));
    } finally {
      lock.unlock();
    }
  }

  /** A request that is inside. */
  private final class Guest implements Admission {
    private final Marks marks;
    private final Sequencer sequencer;
    private @Nullable Runnable onCancel;
    private boolean isWantedOut;
    private boolean isCancelled;

    Guest(Marks marks, Sequencer sequencer) {
      this.marks = marks;
      this.sequencer = sequencer;
    }

    @Override
    public Sequencer sequencer() {
      return sequencer;
    }

    @Override
    public void onCancel(Runnable action) {
      lock.lock();
      try {
        onCancel = action;
        if (isWantedOut && !isCancelled) {
          cancel(action);
        }
      } finally {
        lock.unlock();
      }
    }

    /** One whose action fails may be at work still: it is inside until it leaves by itself. */
    private void cancel(Runnable action) {
      isCancelled = true;
      if (runsUnlocked(action, sequencer)) {
        leaves();
      }
    }

    @Override
    public boolean isCancelled() {
      lock.lock();
      try {
        return isCancelled;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        leaves();
      } finally {
        lock.unlock();
      }
    }

    private void leaves() {
      if (marks.inside.remove(this)) {
        marks.change.signalAll();
      }
    }
  }
}
