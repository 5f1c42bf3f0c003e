package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.AcquireOptions;
import io.holdfast.AcquireOptions.Keeping;
import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.SessionState;
import io.holdfast.engine.session.Granted;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Whether a number may go to a further thread of this client without asking the store, and which
 * local part of the token that thread gets.
 *
 * <p>A number under a lease that was in jeopardy, or that was revoked, goes to no further thread.
 * Nor does one that stays taken for a least time. Where others may wait it is passed on for a
 * moment only; if it is not known, others count as waiting.
 */
final class Reuse {

  /** The last local part is left to a process that resumes the session and cannot know the last. */
  static final int LOCAL_OF_RESUMED = FencingToken.LOCAL_PARTS - 1;

  /** For so long after it was granted a number is passed on although others may wait for it. */
  static final long MAX_LOCAL_HOLD_NANOS = Duration.ofMillis(100).toNanos();

  private final Core core;
  private final Session session;
  private final AcquireOptions options;
  private final HeldMode mode;
  private final long askedNanos;
  private final long grantedNanos;
  private final Contended contended;
  private int nextLocal;

  /** No thread gets it after the one that has it. */
  private boolean spent;

  /**
   * Until when the lock stays taken after it was given back: for each grant with a least time that
   * has reached its caller. Immutable, as most have none.
   */
  private List<Long> takenUntilNanos = List.of();

  Reuse(Core core, Session session, AcquireOptions options, HeldMode mode, Granted granted) {
    this.core = core;
    this.session = session;
    this.options = options;
    this.mode = mode;
    this.askedNanos = granted.askedNanos();
    this.grantedNanos = core.seam.nanos();
    this.contended = new Contended(granted.contention(), granted.askedNanos());
  }

  boolean isCached() {
    return options.keeping() == Keeping.CACHED;
  }

  /** Returns the local part of the next grant. */
  @GuardedBy("turn.lock")
  int nextLocal(Turn turn) {
    return nextLocal++;
  }

  /** Returns the local part of the last grant. */
  @GuardedBy("turn.lock")
  int lastLocal(Turn turn) {
    return nextLocal - 1;
  }

  /** It goes on under another number. */
  @GuardedBy("turn.lock")
  void numberIsAnother(Turn turn) {
    nextLocal = 0;
  }

  /** An earlier life of this process may have used all local parts but the last. */
  @GuardedBy("turn.lock")
  void isOfEarlierLife(Turn turn) {
    nextLocal = LOCAL_OF_RESUMED;
    spent = true;
  }

  @GuardedBy("turn.lock")
  void isSpent(Turn turn) {
    spent = true;
  }

  /**
   * Its lock is to be taken for so long from now on, no matter which thread gives it back. Returns
   * until when, if that makes a difference.
   */
  @GuardedBy("turn.lock")
  OptionalLong takenForAtLeast(Duration atLeast, Turn turn) {
    if (atLeast.isZero()) {
      return OptionalLong.empty();
    }
    long until = core.seam.nanos() + atLeast.toNanos();
    takenUntilNanos = Stream.concat(takenUntilNanos.stream(), Stream.of(until)).toList();
    return OptionalLong.of(until);
  }

  /** One of those for which it was to be taken has not reached its caller, or was not used. */
  @GuardedBy("turn.lock")
  void notTakenUntil(long nanos, Turn turn) {
    List<Long> others = new ArrayList<>(takenUntilNanos);
    boolean unused = others.remove(Long.valueOf(nanos));
    takenUntilNanos = List.copyOf(others);
  }

  @GuardedBy("turn.lock")
  OptionalLong takenUntilNanos(Turn turn) {
    if (takenUntilNanos.isEmpty()) { // So it is for most.
      return OptionalLong.empty();
    }
    // By their difference, as nanoTime() may overflow.
    return takenUntilNanos.stream()
        .mapToLong(Long::longValue)
        .reduce((one, other) -> other - one > 0 ? other : one);
  }

  // --- knowledge of others ---

  @GuardedBy("turn.lock")
  void stands(Standing standing, long sentNanos, Turn turn) {
    if (standing instanceof Standing.Holding holding) {
      contended.answered(holding.contention(), sentNanos);
    } else {
      spent |= sentNanos - askedNanos >= 0; // An older answer tells of the time before the grant.
    }
  }

  /** Another may wait; what was known before counts no more. */
  @GuardedBy("turn.lock")
  void hinted(Turn turn) {
    contended.hinted(core.seam.nanos());
  }

  private boolean isNobodyWaiting() {
    return contended.isKnownToBeNobody(
        core.seam.nanos(), core.settings.heartbeatNanos(session.ttl()));
  }

  // --- what a thread may have ---

  /** Whether a thread asks for what this was granted for. */
  private boolean serves(Terms terms) {
    AcquireOptions asked = terms.options();
    return session.key.ttl().equals(terms.ttl())
        && mode.now() == asked.mode()
        && options.keeping() == asked.keeping()
        && options.lockDelay().equals(asked.lockDelay())
        && options.why().equals(asked.why())
        && options.payload().equals(asked.payload());
  }

  /** Whether it may go to a further thread, if others did not count. */
  @GuardedBy("turn.lock")
  private boolean isGood(Turn turn) {
    return !isUsedUp(turn) && mode.isSettled(turn) && session.inForce();
  }

  /** Whether it goes to no further thread any more. */
  @GuardedBy("turn.lock")
  private boolean isUsedUp(Turn turn) {
    return spent
        || !takenUntilNanos.isEmpty()
        || nextLocal >= LOCAL_OF_RESUMED
        || session.isRetiring(turn);
  }

  /**
   * Whether a thread may have a grant beside those that are out. Not if others wait, or may wait:
   * riders that come one after the other would keep an exclusive request out for ever.
   */
  @GuardedBy("turn.lock")
  boolean mayBeRidden(Terms terms, Turn turn) {
    return mode.isShared()
        && serves(terms)
        && isGood(turn)
        && session.state() == SessionState.SAFE
        && isNobodyWaiting();
  }

  /**
   * Whether a thread that wants to share it has to ask the store for a number of its own: this one
   * was granted for something else, or goes to no further thread, or another client waits behind
   * it. In the last case the thread queues behind that one: only a request that stands behind a
   * waiter finds out that its session is over. A thread that may ride as soon as more is known
   * waits for that.
   */
  @GuardedBy("turn.lock")
  boolean mayBeJoined(Terms terms, Turn turn) {
    return mode.isShared()
        && terms.options().mode() == LockMode.SHARED
        && (!serves(terms) || isUsedUp(turn) || contended.isKnownToBeSomebody());
  }

  @GuardedBy("turn.lock")
  boolean mayBePassed(Terms terms, Turn turn) {
    return serves(terms)
        && isGood(turn)
        && session.state() == SessionState.SAFE
        && (core.seam.nanos() - grantedNanos < MAX_LOCAL_HOLD_NANOS
            || (isCached() && isNobodyWaiting()));
  }

  @GuardedBy("turn.lock")
  boolean mayBeKept(Turn turn) {
    return isCached() && isGood(turn) && isNobodyWaiting();
  }

  /**
   * Whether a thread may have the kept number; if it may not, the number goes back to the store.
   */
  @GuardedBy("turn.lock")
  boolean mayBeTaken(Terms terms, Turn turn) {
    return serves(terms) && mayBeKept(turn);
  }
}
