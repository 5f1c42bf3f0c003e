package io.holdfast.memory;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The same verbs where the record and the places of the waiters cannot be changed together, as in a
 * database without a transaction around them: each step is one compare-and-set, and the client may
 * die between any two.
 *
 * <p>The record's version is the only point of order. A joiner's place is there, and the version
 * changed, before it looks whether the lock is free; a request that gives up takes its place away,
 * and changes the version, before it looks whether it was handed the lock. So a hand-over that has
 * read the places before either of them cannot write after it.
 */
final class SteppedMemoryBackend extends MemoryBackend {

  /** The reading of a hand-over: the version to compare with, and who is next. */
  private record Read(long version, Optional<Request> next) {}

  SteppedMemoryBackend(MemoryStore store, BackendOptions options, Runnable beforeStep) {
    super(store, options, beforeStep);
  }

  /** A run of holders would need a step of its own for each of them. */
  @Override
  Set<LockMode> modes() {
    return Set.of(LockMode.EXCLUSIVE);
  }

  /** Stays would take further steps. */
  @Override
  Set<Stays> stays() {
    return Set.of();
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    throw new BadRequestException(
        "Locks at %s cannot be held for a least time.".formatted(describe()));
  }

  @Override
  public Revocation revokeIn(Observed head, Duration notice, Deadline deadline) {
    throw new BadRequestException(
        "Holders at %s cannot be given notice; revoke them at once.".formatted(describe()));
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    throw new BadRequestException(
        "Locks at %s are exclusive; shared mode is not available.".formatted(describe()));
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    request.requireExclusive(describe());
    Optional<Attempt> atOnce = verb(deadline, state -> grabAtOnce(state, request));
    if (atOnce.isPresent()) {
      return atOnce.get();
    }
    step(
        deadline,
        state -> {
          MemoryLock lock = state.lock(request.name());
          if (mayJoin(lock, request)) {
            lock.addPlace(state.rules.placeOfNewcomer(lock.placeCount()), request);
          }
          return lock;
        });
    return step(
        deadline,
        state -> {
          MemoryLock lock = state.lock(request.name());
          lock.version++;
          if (!lock.isHeld()) {
            // Freed since the first look, by a client that did not see this place.
            state.passOn(lock, request.id(), null);
          }
          return whyNothingIsGranted(state, request).orElseGet(() -> afterGrab(state, request));
        });
  }

  /** One step where that is enough: the lock is free and no request waits, or it is held. */
  private Optional<Attempt> grabAtOnce(MemoryState state, Request request) {
    Optional<Attempt> nothing = whyNothingIsGranted(state, request);
    if (nothing.isPresent()) {
      return nothing;
    }
    MemoryLock lock = state.lock(request.name());
    if (lock.isFree()) {
      state.grant(lock, request);
    }
    boolean settled = lock.isHeld() && !mayJoin(lock, request);
    return settled ? Optional.of(afterGrab(state, request)) : Optional.empty();
  }

  @Override
  public Attempt overtake(Request request, Observed observed, Deadline deadline) {
    request.requireExclusive(describe());
    Optional<Attempt> nothing = verb(deadline, state -> whyNothingIsGranted(state, request));
    if (nothing.isPresent()) {
      return nothing.get();
    }
    handOn(observed.name(), state -> mayOvertake(state, observed), request, deadline);
    return step(deadline, state -> Answers.attempt(state, request));
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    boolean waited =
        verb(
            deadline,
            state -> state.locks.containsKey(name) && state.lock(name).removePlace(request));
    if (waited) {
      step(deadline, state -> state.lock(name).version++);
      if (!rules().leaverLooksAgain()) {
        return Released.WAS_WAITING;
      }
    }
    Predicate<MemoryState> holds =
        state -> state.locks.containsKey(name) && state.lock(name).isHeldBy(request);
    Released released = handOn(name, holds, null, deadline);
    return released == Released.NOTHING && waited ? Released.WAS_WAITING : released;
  }

  @Override
  public Revocation revoke(Observed observed, RevokeWhen when, Deadline deadline) {
    // The session first, so that no holder is evicted that was not told.
    boolean sessionFirst = rules().sessionBeforeRecord();
    boolean inForce =
        verb(deadline, state -> mark(state, observed, sessionFirst))
            && step(deadline, state -> mark(state, observed, !sessionFirst));
    if (!inForce) {
      return new Revocation.Changed();
    }
    Predicate<MemoryState> leaves = state -> mayLeave(state, observed, when);
    if (handOn(observed.name(), leaves, null, deadline) != Released.NOTHING) {
      return new Revocation.Freed();
    }
    return new Revocation.Marked(step(deadline, state -> dueIn(state, observed)));
  }

  private boolean mark(MemoryState state, Observed observed, boolean session) {
    if (!isAsObserved(state, observed)) {
      return false;
    }
    if (session) {
      markSession(state, observed, Duration.ZERO);
    } else {
      markRecord(state, observed(state, observed).orElseThrow());
    }
    return true;
  }

  private Duration dueIn(MemoryState state, Observed observed) {
    return observed(state, observed).map(hold -> leavesIn(state, hold)).orElse(Duration.ZERO);
  }

  /**
   * The head leaves, if it still may when the record is written; the next one is head, or the
   * newcomer. Tried again when a joiner or a leaver came in between.
   */
  private Released handOn(
      LockName name, Predicate<MemoryState> leaves, @Nullable Request newcomer, Deadline deadline) {
    while (true) {
      Optional<Read> read = step(deadline, state -> read(state, name, leaves));
      if (read.isEmpty()) {
        return Released.NOTHING;
      }
      if (!rules().recordBeforePlace()) {
        takeAway(name, read.get(), deadline);
      }
      boolean written = step(deadline, state -> write(state, name, leaves, read.get(), newcomer));
      if (written) {
        // The new head's place, if the client dies before this, counts for no request: see
        // waiting().
        takeAway(name, read.get(), deadline);
        return read.get().next().isPresent() ? Released.HANDED_ON : Released.FREED;
      }
    }
  }

  private static Optional<Read> read(
      MemoryState state, LockName name, Predicate<MemoryState> leaves) {
    if (!leaves.test(state)) {
      return Optional.empty();
    }
    MemoryLock lock = state.lock(name);
    // A place that the head still has must be gone before it can become head again by it.
    lock.head().ifPresent(head -> lock.removePlace(head.id()));
    return Optional.of(new Read(lock.version, lock.waiting().stream().findFirst()));
  }

  private static boolean write(
      MemoryState state,
      LockName name,
      Predicate<MemoryState> leaves,
      Read read,
      @Nullable Request newcomer) {
    MemoryLock lock = state.lock(name);
    if (!leaves.test(state) || !state.rules.isUnchanged(read.version(), lock.version)) {
      return false;
    }
    if (read.next().isPresent()) {
      state.promote(lock, read.next().get());
    } else if (newcomer != null) {
      state.grant(lock, newcomer);
    } else {
      lock.begin(null, lock.number, state.now);
    }
    return true;
  }

  private void takeAway(LockName name, Read read, Deadline deadline) {
    read.next().ifPresent(next -> step(deadline, state -> state.lock(name).removePlace(next.id())));
  }
}
