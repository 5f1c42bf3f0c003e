package io.holdfast.engine;

import io.holdfast.AcquireOptions;
import io.holdfast.ReleaseOutcome;
import io.holdfast.engine.gate.Ticket;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.view.HeldTogether;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.view.MultiGrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Several locks of one client, taken together: all or none. All clients take them in the order of
 * their names' bytes, so no two wait for each other.
 *
 * @param inOrder without duplicates
 */
record EngineLockSet(Core core, List<EngineLock> inOrder) {

  EngineLockSet {
    if (inOrder.isEmpty()) {
      throw new BadRequestException(
          "There must be at least one lock to take: nothing is protected by none.");
    }
  }

  /** All of them, or why not. */
  private sealed interface Outcome {}

  private record All(MultiGrant grant) implements Outcome {}

  private record NotAll(EngineLock missed, String why) implements Outcome {}

  MultiGrant acquire(AcquireOptions options) {
    Outcome outcome = take(options);
    if (outcome instanceof NotAll notAll) {
      throw new LockTimeoutException(
          "Timed out after %s s waiting for %s locks at %s: not granted was \"%s\" (%s). Those that were granted before it have been given back."
              .formatted(
                  EngineLock.seconds(options.maxWait().orElse(Duration.ZERO)),
                  inOrder.size(),
                  core.backend.describe(),
                  notAll.missed().name(),
                  notAll.why()));
    }
    return ((All) outcome).grant();
  }

  Optional<MultiGrant> tryAcquire(AcquireOptions options) {
    try {
      return take(options) instanceof All all ? Optional.of(all.grant()) : Optional.empty();
    } catch (AlreadyHeldException held) {
      return Optional.empty();
    }
  }

  private Outcome take(AcquireOptions options) {
    long startNanos = core.seam.nanos();
    while (true) {
      List<HeldGrant> taken = new ArrayList<>();
      Optional<NotAll> missed;
      try {
        missed = takeEach(options, startNanos, taken);
        if (missed.isEmpty()) {
          Optional<NotAll> lost = lost(taken);
          if (lost.isEmpty()) {
            taken.forEach(grant -> grant.reachesCaller(options));
            return new All(new HeldTogether(List.copyOf(taken)));
          }
          // It was lost while the others were awaited. If there is time, they are taken again.
          missed = lost.filter(unused -> isOver(options, startNanos));
        }
      } catch (RuntimeException | Error e) { // All or none: the caller gets no other either.
        taken.forEach(grant -> grant.giveBackAfter(e));
        throw e;
      }
      giveBack(taken);
      if (missed.isPresent()) {
        return missed.get();
      }
    }
  }

  /**
   * So that they are free when the caller goes on; but where the store does not answer about one of
   * them the caller does not wait for the others, each for as long again.
   */
  private static void giveBack(List<HeldGrant> taken) {
    List<HeldGrant> left = new ArrayList<>(taken);
    try {
      boolean isAnswered = true;
      while (isAnswered && !left.isEmpty()) {
        isAnswered = left.remove(left.size() - 1).releaseUnused() != ReleaseOutcome.PENDING;
      }
    } catch (RuntimeException | Error e) {
      left.forEach(grant -> grant.giveBackAfter(e));
      throw e;
    }
    left.forEach(HeldGrant::giveBackUnused);
  }

  /** Takes one after the other; returns the first that was not granted in time. */
  private Optional<NotAll> takeEach(
      AcquireOptions options, long startNanos, List<HeldGrant> taken) {
    for (EngineLock lock : inOrder) {
      Ticket.Outcome outcome = lock.ask(withTimeLeft(options, startNanos));
      if (outcome instanceof Ticket.NotAcquired notAcquired) {
        return Optional.of(new NotAll(lock, notAcquired.why()));
      }
      taken.add(lock.granted(outcome));
    }
    return Optional.empty();
  }

  private Optional<NotAll> lost(List<HeldGrant> taken) {
    for (int i = 0; i < taken.size(); i++) {
      if (!taken.get(i).inForce()) {
        return Optional.of(new NotAll(inOrder.get(i), "it was lost while the others were awaited"));
      }
    }
    return Optional.empty();
  }

  private AcquireOptions withTimeLeft(AcquireOptions options, long startNanos) {
    return options.maxWait().isEmpty()
        ? options
        : options.maxWait(timeLeft(options.maxWait().get(), startNanos));
  }

  private boolean isOver(AcquireOptions options, long startNanos) {
    return options.maxWait().filter(wait -> timeLeft(wait, startNanos).isZero()).isPresent();
  }

  /** One deadline for all of them. */
  private Duration timeLeft(Duration maxWait, long startNanos) {
    Duration left = maxWait.minusNanos(core.seam.nanos() - startNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
