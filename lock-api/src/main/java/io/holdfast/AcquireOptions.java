package io.holdfast;

import io.holdfast.error.BadRequestException;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of one acquire. Immutable: every method returns a changed copy.
 *
 * <pre>{@code
 * lock.acquire(AcquireOptions.within(Duration.ofSeconds(5)).ttl(Duration.ofMinutes(1)).why("nightly"))
 * }</pre>
 *
 * @param maxWait the longest time to wait: zero means one attempt, empty means no limit
 * @param ttl the session's TTL; empty for the client's default
 * @param why the reason for the request, shown to people who inspect the lock; at most {@link
 *     #WHY_MAX} characters
 * @param payload the bytes to publish while the lock is held
 * @param atMost the longest time to hold the lock; empty means no limit
 * @param keeping what happens to the lock when the grant is given back
 * @param interrupts what an interrupt of the waiting thread does
 * @param mode how the lock is held
 * @param atLeast the shortest time for which the lock is taken; zero for none
 * @param lockDelay for how long the lock stays taken when its holder has died; zero for none
 */
public record AcquireOptions(
    Optional<Duration> maxWait,
    Optional<Duration> ttl,
    String why,
    Payload payload,
    Optional<Duration> atMost,
    Keeping keeping,
    Interrupts interrupts,
    LockMode mode,
    Duration atLeast,
    Duration lockDelay) {

  /** The fate of the lock when its grant is given back. */
  public enum Keeping {
    /** The lock goes back to the store. */
    RELEASED,
    /** The lock stays with the client until another client asks for it. */
    CACHED
  }

  /** The effect of an interrupt on the thread that waits for a lock. */
  public enum Interrupts {
    /** It ends the wait. */
    END_THE_WAIT,
    /** The wait goes on. The thread's interrupt is pending again when the wait is over. */
    LEFT_PENDING
  }

  /** The greatest length of a reason, in characters. */
  public static final int WHY_MAX = 512;

  /**
   * The longest {@link #atLeast} and the longest {@link #lockDelay}, the same in every namespace. A
   * namespace's {@code maxTtl} bounds neither: it says how long a restart guard waits for leases,
   * and what stays has none.
   */
  public static final Duration STAY_MAX = Duration.ofDays(1);

  /** A longer duration cannot be counted in nanoseconds. */
  private static final Duration AT_MOST_MAX = Duration.ofDays(365L * 100);

  private static final AcquireOptions FOREVER =
      new AcquireOptions(
          Optional.empty(),
          Optional.empty(),
          "",
          Payload.EMPTY,
          Optional.empty(),
          Keeping.RELEASED,
          Interrupts.END_THE_WAIT,
          LockMode.EXCLUSIVE,
          Duration.ZERO,
          Duration.ZERO);

  private static final AcquireOptions ONCE = within(Duration.ZERO);

  /**
   * Checks the durations and the reason.
   *
   * @throws BadRequestException if the wait is negative, the TTL or the longest time to hold is not
   *     positive, the least time to hold or the lock-delay is negative, longer than a day, or
   *     longer than the longest time, or the reason is too long or ill-formed
   */
  public AcquireOptions {
    if (maxWait.isPresent() && maxWait.get().isNegative()) {
      throw new BadRequestException(
          "A wait must not be negative: %s. Use zero for one attempt, or AcquireOptions.forever() to wait without a limit."
              .formatted(maxWait.get()));
    }
    if (ttl.isPresent() && (ttl.get().isNegative() || ttl.get().isZero())) {
      throw new BadRequestException("A TTL must be positive, not %s.".formatted(ttl.get()));
    }
    if (atMost.isPresent() && !isCountable(atMost.get())) {
      throw new BadRequestException(
          "The longest time to hold a lock must be positive, and at most %s: %s was asked for."
              .formatted(AT_MOST_MAX, atMost.get()));
    }
    requireStay("The least time to hold a lock", atLeast);
    requireStay("A lock-delay", lockDelay);
    if (atMost.isPresent() && atMost.get().compareTo(atLeast) < 0) {
      throw new BadRequestException(
          "A lock cannot be held for at least %s and at most %s.".formatted(atLeast, atMost.get()));
    }
    int unused = LockName.utf8Length("A reason", why);
    if (why.length() > WHY_MAX) {
      throw new BadRequestException(
          "A reason may have at most %s characters; this one has %s."
              .formatted(WHY_MAX, why.length()));
    }
  }

  private static void requireStay(String what, Duration stay) {
    if (stay.isNegative() || stay.compareTo(STAY_MAX) > 0) {
      throw new BadRequestException(
          "%s must not be negative, and must be at most %s: %s was asked for."
              .formatted(what, STAY_MAX, stay));
    }
  }

  private static boolean isCountable(Duration atMost) {
    return !atMost.isNegative() && !atMost.isZero() && atMost.compareTo(AT_MOST_MAX) <= 0;
  }

  /** Returns options for one attempt without waiting. */
  public static AcquireOptions once() {
    return ONCE;
  }

  /** Returns options that wait for at most the given time; zero means one attempt. */
  public static AcquireOptions within(Duration wait) {
    return FOREVER.maxWait(wait);
  }

  /**
   * Returns options that wait until the lock is granted, the thread is interrupted, or the client
   * is closed.
   */
  public static AcquireOptions forever() {
    return FOREVER;
  }

  /** Returns a copy that waits for at most the given time; zero means one attempt. */
  public AcquireOptions maxWait(Duration wait) {
    return new AcquireOptions(
        Optional.of(wait),
        ttl,
        why,
        payload,
        atMost,
        keeping,
        interrupts,
        mode,
        atLeast,
        lockDelay);
  }

  /**
   * Returns a copy with this TTL instead of the client's default. A client can use at most eight
   * distinct TTLs.
   */
  public AcquireOptions ttl(Duration ttl) {
    return new AcquireOptions(
        maxWait,
        Optional.of(ttl),
        why,
        payload,
        atMost,
        keeping,
        interrupts,
        mode,
        atLeast,
        lockDelay);
  }

  /** Returns a copy with this reason, which is shown to people who inspect the lock. */
  public AcquireOptions why(String why) {
    return new AcquireOptions(
        maxWait, ttl, why, payload, atMost, keeping, interrupts, mode, atLeast, lockDelay);
  }

  /** Returns a copy with this payload, which is published while the lock is held. */
  public AcquireOptions payload(Payload payload) {
    return new AcquireOptions(
        maxWait, ttl, why, payload, atMost, keeping, interrupts, mode, atLeast, lockDelay);
  }

  /**
   * Returns a copy with a limit to how long the lock is held. When that time is over, counted by
   * this process's monotonic clock from the moment when the acquire returned, the grant is lost
   * ({@link LossReason#AT_MOST_REACHED}), a body that {@linkplain DistributedLock#run runs} under
   * it is interrupted, and the lock is released. {@link Grant#extend} moves that moment, so that a
   * lock can be tied to the progress of a job instead of to the life of its process.
   */
  public AcquireOptions atMost(Duration atMost) {
    return new AcquireOptions(
        maxWait,
        ttl,
        why,
        payload,
        Optional.of(atMost),
        keeping,
        interrupts,
        mode,
        atLeast,
        lockDelay);
  }

  /**
   * Returns a copy with a least time for which the lock is taken, for jobs that are to run once
   * although several machines start them at almost the same moment. A grant that is given back
   * earlier leaves the lock taken, without a holder, until that time is over, counted from the
   * moment when the acquire returned. This outlives the process. If the process dies while it holds
   * the lock, only its lease protects the rest of that time; {@link #lockDelay} protects more. A
   * process that {@linkplain LockClient#resume resumes} the grant does not know of this time.
   *
   * <p>Such a lock is neither passed on inside the client nor {@linkplain #cached cached}. A grant
   * that did not reach the caller, because the wait was interrupted for instance, is given back at
   * once.
   *
   * @param atLeast at most {@link #STAY_MAX}; zero for none
   */
  public AcquireOptions atLeast(Duration atLeast) {
    return new AcquireOptions(
        maxWait, ttl, why, payload, atMost, keeping, interrupts, mode, atLeast, lockDelay);
  }

  /**
   * Returns a copy with a lock-delay: if the holder's session ends uncleanly (its process dies, or
   * it cannot renew), no other request gets the lock for so long afterwards. So a resource that
   * does not check tokens has time to finish what the holder sent last. A holder that gives the
   * lock back, or closes its client, leaves no delay. The delay begins when another client finds
   * the session over, never before. A waiter that dies leaves none, unless its turn comes before
   * its request is removed: the store cannot know whether it has learnt that it holds.
   *
   * @param lockDelay at most {@link #STAY_MAX}; zero for none
   */
  public AcquireOptions lockDelay(Duration lockDelay) {
    return new AcquireOptions(
        maxWait, ttl, why, payload, atMost, keeping, interrupts, mode, atLeast, lockDelay);
  }

  /**
   * Returns a copy for a lock that this process takes again and again while other processes rarely
   * want it. When the grant is given back, the lock stays with this client. A thread that asks for
   * it again with the same options gets it without a call to the store, under a greater token. One
   * time in 1,023 it goes back to the store and is asked for anew: so many tokens a number has.
   *
   * <p>The client gives the lock back to the store as soon as it learns that another client waits
   * for it, when it does not know whether one waits, and after four heartbeats without use. Until
   * then the lock is held: other clients' single attempts fail. A store that does not tell its
   * holders of new waiters is asked with each heartbeat, so another client may wait that long.
   */
  public AcquireOptions cached() {
    return new AcquireOptions(
        maxWait, ttl, why, payload, atMost, Keeping.CACHED, interrupts, mode, atLeast, lockDelay);
  }

  /**
   * Returns a copy that asks for shared mode: any number of shared requests hold the lock together,
   * and an exclusive request holds it alone. Shared and exclusive requests are served in the order
   * in which they asked, so a shared request that finds an exclusive one waiting waits behind it. A
   * shared grant cannot be turned into an exclusive one; {@link Grant#downgrade} turns an exclusive
   * one into a shared one.
   *
   * <p>Threads of one client that ask with the same options share one request, which takes no call
   * to the store. One that asks with other options holds the lock beside them by a request of its
   * own, as another client would.
   *
   * <p>The token of a shared grant is greater than those of all exclusive grants before it and
   * smaller than those of all exclusive grants after it.
   */
  public AcquireOptions shared() {
    return new AcquireOptions(
        maxWait,
        ttl,
        why,
        payload,
        atMost,
        keeping,
        interrupts,
        LockMode.SHARED,
        atLeast,
        lockDelay);
  }

  /**
   * Returns a copy that does not heed interrupts: neither one that is pending when the lock is
   * asked for, nor one that arrives during the wait. The interrupt is pending when the call
   * returns. The calls to the store are made on a thread of the client, because an interrupt would
   * break those of some drivers.
   */
  public AcquireOptions uninterruptibly() {
    return new AcquireOptions(
        maxWait,
        ttl,
        why,
        payload,
        atMost,
        keeping,
        Interrupts.LEFT_PENDING,
        mode,
        atLeast,
        lockDelay);
  }
}
