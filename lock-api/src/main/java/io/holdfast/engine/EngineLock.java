package io.holdfast.engine;

import io.holdfast.AcquireOptions;
import io.holdfast.AlreadyHeldException;
import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.LockInterruptedException;
import io.holdfast.LockName;
import io.holdfast.LockTimeoutException;
import io.holdfast.engine.Core.Turn;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

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
    if (outcome instanceof Ticket.NotHad notHad) {
      throw new LockTimeoutException(
          "Timed out after %s s waiting for the lock \"%s\" at %s: %s."
              .formatted(
                  options.patience().map(EngineLock::seconds).orElse("0"),
                  publicName,
                  core.backend.describe(),
                  notHad.why()));
    }
    return grant(outcome);
  }

  @Override
  public Optional<Grant> tryAcquire(AcquireOptions options) {
    try {
      Ticket.Outcome outcome = ask(options);
      return outcome instanceof Ticket.NotHad ? Optional.empty() : Optional.of(grant(outcome));
    } catch (AlreadyHeldException held) {
      return Optional.empty();
    }
  }

  private static String seconds(Duration wait) {
    return BigDecimal.valueOf(wait.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  private static Grant grant(Ticket.Outcome outcome) {
    if (outcome instanceof Ticket.Failed failed) {
      throw Failures.forCaller(failed.failure());
    }
    return ((Ticket.Had) outcome).grant();
  }

  private Ticket.Outcome ask(AcquireOptions options) {
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted(new InterruptedException());
    }
    Duration ttl = EngineSettings.requireTtl(options.ttl().orElse(core.settings.defaultTtl()));
    Ticket ticket = new Ticket(options, ttl);
    long startNanos = core.seam.nanos();
    Gate gate = enter(ticket);
    return await(gate, ticket, startNanos);
  }

  private Gate enter(Ticket ticket) {
    Optional<Gate> gate = Optional.empty();
    try (Turn asked = core.turn()) {
      gate = Optional.of(client.gate(name, ticket.ttl));
      gate.get().enter(ticket);
      return gate.get();
    } catch (RuntimeException | Error e) {
      gate.ifPresent(entered -> giveUp(entered, ticket));
      throw e;
    }
  }

  private Ticket.Outcome await(Gate gate, Ticket ticket, long startNanos) {
    try {
      // One attempt is bounded by its calls' own deadlines.
      Duration patience =
          ticket
              .options
              .patience()
              .filter(wait -> !wait.isZero() && wait.compareTo(FOREVER) < 0)
              .orElse(FOREVER);
      long spent = core.seam.nanos() - startNanos;
      Ticket.Outcome outcome =
          core.seam.await(ticket.outcome, patience.minusNanos(Math.min(spent, patience.toNanos())));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return outcome;
    } catch (TimeoutException e) {
      try (Turn tired = core.turn()) {
        Ticket.Outcome whyNot = gate.whyNot(ticket);
        if (gate.leave(ticket)) {
          return whyNot;
        }
      }
      return ticket.outcome.join(); // It was called up a moment before.
    } catch (InterruptedException e) {
      giveUp(gate, ticket);
      throw interrupted(e);
    }
  }

  /** Nobody will come for what this ticket was, or may be just now, granted: it is given back. */
  private void giveUp(Gate gate, Ticket ticket) {
    boolean left;
    try (Turn turn = core.turn()) {
      left = gate.leave(ticket);
    }
    if (!left && ticket.isInLine && ticket.outcome.join() instanceof Ticket.Had had) {
      had.grant().release();
    }
  }

  private LockInterruptedException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new LockInterruptedException(
        "Interrupted before the lock \"" + publicName + "\" was acquired; nothing is held.", cause);
  }

  @Override
  public <T, E extends Exception> T call(AcquireOptions options, Task<T, E> task) throws E {
    try (HeldGrant grant = (HeldGrant) acquire(options);
        Interrupter interrupter = new Interrupter(grant)) {
      grant.runs(interrupter);
      T result;
      try {
        result = task.call(grant);
      } catch (Exception e) {
        interrupter.ends(e);
        throw e;
      }
      interrupter.ends();
      return result;
    }
  }

  @Override
  public String toString() {
    return "DistributedLock[" + publicName + " at " + core.backend.describe() + "]";
  }

  static ClientClosedException closed(String backend) {
    return new ClientClosedException(
        "The client of " + backend + " is closed. Nothing is held by it any more.");
  }
}
