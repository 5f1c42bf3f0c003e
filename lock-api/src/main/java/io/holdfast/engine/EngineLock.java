package io.holdfast.engine;

import io.holdfast.AcquireOptions;
import io.holdfast.AcquireOptions.Interrupts;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.engine.gate.Gate;
import io.holdfast.engine.gate.Ticket;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.engine.hold.Interrupter;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.Turn;
import io.holdfast.engine.view.ModeView;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.view.LockView;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A lock by its name: every call takes a ticket to the gate of that name and waits for it. */
final class EngineLock implements DistributedLock {

  private static final Duration FOREVER = EngineSettings.DURATION_MAX;

  private final Core core;
  private final EngineClient client;
  private final LockName name;
  private final LockName publicName;

  EngineLock(Core core, EngineClient client, LockName name, LockName publicName) {
    this.core = core;
    this.client = client;
    this.name = name;
    this.publicName = publicName;
  }

  @Override
  public LockName name() {
    return publicName;
  }

  @Override
  public Grant acquire(AcquireOptions options) {
    Ticket.Outcome outcome = ask(options);
    if (outcome instanceof Ticket.NotAcquired notAcquired) {
      throw timedOut(options, notAcquired);
    }
    return grant(outcome, options);
  }

  private LockTimeoutException timedOut(AcquireOptions options, Ticket.NotAcquired notAcquired) {
    return new LockTimeoutException(
        "Timed out after %s s waiting for the lock \"%s\" at %s: %s."
            .formatted(
                options.maxWait().map(EngineLock::seconds).orElse("0"),
                publicName,
                core.backend.describe(),
                notAcquired.why()));
  }

  @Override
  public Optional<Grant> tryAcquire(AcquireOptions options) {
    try {
      Ticket.Outcome outcome = ask(options);
      return outcome instanceof Ticket.NotAcquired
          ? Optional.empty()
          : Optional.of(grant(outcome, options));
    } catch (AlreadyHeldException held) {
      return Optional.empty();
    }
  }

  @Override
  public CompletableFuture<Grant> acquireAsync(AcquireOptions options) {
    return askAsync(
        options,
        grant -> grant,
        notAcquired -> {
          throw timedOut(options, notAcquired);
        });
  }

  @Override
  public CompletableFuture<Optional<Grant>> tryAcquireAsync(AcquireOptions options) {
    return askAsync(options, Optional::of, notAcquired -> Optional.empty());
  }

  private <T> CompletableFuture<T> askAsync(
      AcquireOptions options,
      Function<Grant, T> acquired,
      Function<Ticket.NotAcquired, T> notAcquired) {
    Duration ttl;
    try {
      ttl = checkedTtl(options);
    } catch (BadRequestException e) {
      return CompletableFuture.failedFuture(e);
    }
    Ticket ticket = Ticket.ofNoThread(options, ttl);
    AsyncAcquire<T> asked = new AsyncAcquire<>(core, ticket, acquired, notAcquired);
    try {
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        asked.begin(client.gate(name, ttl, turn), turn);
      } finally {
        turn.lock.unlock();
      }
      turn.carryOut();
    } catch (RuntimeException | Error e) {
      boolean unused = asked.future.completeExceptionally(e); // Which withdraws what has begun.
    }
    return asked.future;
  }

  static String seconds(Duration wait) {
    return BigDecimal.valueOf(wait.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  private HeldGrant grant(Ticket.Outcome outcome, AcquireOptions options) {
    HeldGrant grant = granted(outcome);
    grant.reachesCaller(options);
    return grant;
  }

  /**
   * Returns the grant, which has not reached its caller yet. The client may have been closed since
   * the ticket was called up: a thread goes on some time after it was woken.
   */
  HeldGrant granted(Ticket.Outcome outcome) {
    if (outcome instanceof Ticket.Failed failed) {
      throw Failures.forCaller(failed.failure());
    }
    HeldGrant grant = ((Ticket.Acquired) outcome).grant();
    if (grant.isOfClosedClient()) {
      throw Failures.closed(core.backend.describe());
    }
    return grant;
  }

  /**
   * From the ticket to its outcome. An uncontended acquire never leaves this thread, unless the
   * session has to be opened first or the options leave interrupts pending.
   */
  Ticket.Outcome ask(AcquireOptions options) {
    if (options.interrupts() == Interrupts.END_THE_WAIT && Thread.currentThread().isInterrupted()) {
      throw interrupted(new InterruptedException());
    }
    Duration ttl = checkedTtl(options);
    Ticket ticket = new Ticket(options, ttl);
    long startNanos = core.seam.nanos();
    try {
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        client.gate(name, ttl, turn).enter(ticket, turn);
      } finally {
        turn.lock.unlock();
      }
      // The first at its gate grabs here, if its session is open. If the lock is free, its ticket
      // has its outcome after this line.
      turn.carryOut();
      return await(ticket, startNanos);
    } catch (TimeoutException e) {
      return leaveAfterWait(ticket);
    } catch (InterruptedException e) {
      giveUp(ticket);
      throw interrupted(e);
    } catch (RuntimeException | Error e) {
      giveUp(ticket);
      throw e;
    }
  }

  /** Impossible options are refused before the store is asked. */
  private Duration checkedTtl(AcquireOptions options) {
    Duration ttl = EngineSettings.requireTtl(options.ttl().orElse(core.settings.defaultTtl()));
    if (!options.atLeast().isZero()) {
      requireStays(Stays.AT_LEAST, "a least time");
    }
    if (!options.lockDelay().isZero()) {
      requireStays(Stays.LOCK_DELAY, "a lock-delay");
    }
    return ttl;
  }

  private void requireStays(Stays asked, String what) {
    if (!core.backend.capabilities().stays().contains(asked)) {
      throw new BadRequestException(
          "Locks at %s cannot have %s, which was asked for the lock \"%s\". Ask without it."
              .formatted(core.backend.describe(), what, publicName));
    }
  }

  private Ticket.Outcome await(Ticket ticket, long startNanos)
      throws InterruptedException, TimeoutException {
    if (!ticket.heedsInterrupts()) {
      return core.seam.awaitThroughInterrupts(ticket.outcome, waitLeft(ticket, startNanos));
    }
    Ticket.Outcome outcome =
        ticket.outcome.isDone()
            ? ticket.outcome.join()
            : core.seam.await(ticket.outcome, waitLeft(ticket, startNanos));
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return outcome;
  }

  private Duration waitLeft(Ticket ticket, long startNanos) {
    // A single attempt is bounded by the deadlines of its calls, and of its wait to make them.
    Duration asked = ticket.options.maxWait().orElse(FOREVER);
    Duration maxWait = asked.isZero() || asked.compareTo(FOREVER) > 0 ? FOREVER : asked;
    long spent = core.seam.nanos() - startNanos;
    return maxWait.minusNanos(Math.min(spent, maxWait.toNanos()));
  }

  /** The time is up. A ticket that was called up a moment before has its outcome all the same. */
  private Ticket.Outcome leaveAfterWait(Ticket ticket) {
    Optional<Gate> joined = ticket.gate();
    if (joined.isEmpty()) {
      return ticket.outcome.join();
    }
    Gate gate = joined.get();
    Ticket.Outcome whyNot;
    boolean left;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      whyNot = gate.whyNot(ticket, turn);
      left = gate.leave(ticket, turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    return left ? whyNot : ticket.outcome.join();
  }

  /** The caller will not use what this ticket is granted, or is being granted: it goes back. */
  private void giveUp(Ticket ticket) {
    Optional<Gate> joined = ticket.gate();
    if (joined.isEmpty()) {
      return;
    }
    boolean left;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      left = joined.get().leave(ticket, turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    if (!left && ticket.outcome.join() instanceof Ticket.Acquired acquired) {
      acquired.grant().giveBackUnused(); // A call on this thread might hang.
    }
  }

  private LockInterruptedException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new LockInterruptedException(
        "Interrupted before the lock \"" + publicName + "\" was acquired; nothing is held.", cause);
  }

  @Override
  public <T, E extends Exception> T call(AcquireOptions options, Task<T, E> task) throws E {
    HeldGrant grant = (HeldGrant) acquire(options);
    T result;
    try {
      result = callUnder(grant, task);
    } catch (Throwable thrown) {
      try {
        grant.release();
      } catch (RuntimeException second) {
        thrown.addSuppressed(second);
      }
      throw thrown;
    }
    grant.release();
    return result;
  }

  private static <T, E extends Exception> T callUnder(HeldGrant grant, Task<T, E> task) throws E {
    Interrupter interrupter = new Interrupter(grant);
    try {
      grant.runs(interrupter);
      if (grant.gone().isPresent()) {
        throw grant.lost(grant.gone().get()); // Before this thread went on.
      }
      T result;
      try {
        result = task.call(grant);
      } catch (Exception e) {
        interrupter.ends(e);
        throw e;
      }
      interrupter.ends();
      return result;
    } finally {
      interrupter.stop();
    }
  }

  @Override
  public LockView asLock(AcquireOptions options) {
    if (options.maxWait().isPresent() || options.interrupts() == Interrupts.LEFT_PENDING) {
      throw new BadRequestException(
          "The methods of a Lock say how long to wait for the lock \"%s\" and what interrupts do. Make the view with AcquireOptions.forever(), and neither a wait nor uninterruptibly()."
              .formatted(publicName));
    }
    requireMode(options.mode());
    return new ModeView(this, client.threadHolds, options);
  }

  private void requireMode(LockMode mode) {
    if (!core.backend.capabilities().modes().contains(mode)) {
      throw new BadRequestException(
          "Locks at %s cannot be held in %s mode, which was asked for the lock \"%s\"."
              .formatted(
                  core.backend.describe(), mode.name().toLowerCase(Locale.ROOT), publicName));
    }
  }

  @Override
  public String toString() {
    return "DistributedLock[" + publicName + " at " + core.backend.describe() + "]";
  }
}
