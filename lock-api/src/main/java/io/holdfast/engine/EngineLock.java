package io.holdfast.engine;

import io.holdfast.AcquireOptions;
import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.LockInterruptedException;
import io.holdfast.LockName;
import io.holdfast.LockTimeoutException;
import io.holdfast.LossReason;
import io.holdfast.engine.Core.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

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
          "The lock \"%s\" at %s was not to be had within %s: %s."
              .formatted(
                  publicName,
                  core.backend.describe(),
                  options.patience().map(Duration::toString).orElse("the wait"),
                  notHad.why()));
    }
    return grant(outcome);
  }

  @Override
  public Optional<Grant> tryAcquire(AcquireOptions options) {
    Ticket.Outcome outcome = ask(options);
    return outcome instanceof Ticket.NotHad ? Optional.empty() : Optional.of(grant(outcome));
  }

  private static Grant grant(Ticket.Outcome outcome) {
    if (outcome instanceof Ticket.Failed failed) {
      failed.failure().addSuppressed(new Throwable("asked for here"));
      throw failed.failure();
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
    Gate gate;
    try (Turn asked = core.turn()) {
      gate = client.enter(name, ticket);
    }
    return await(gate, ticket, startNanos);
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

  /** An interrupted wait never succeeds: what was granted a moment before is given back. */
  private void giveUp(Gate gate, Ticket ticket) {
    boolean left;
    try (Turn interrupted = core.turn()) {
      left = gate.leave(ticket);
    }
    if (!left && ticket.outcome.join() instanceof Ticket.Had had) {
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
    try (HeldGrant grant = (HeldGrant) acquire(options)) {
      Interrupter interrupter = new Interrupter();
      grant.onTrouble(interrupter::interrupt);
      T result;
      try {
        result = task.call(grant);
      } finally {
        interrupter.stop();
      }
      // In jeopardy the body was interrupted, and may have hidden it: its caller must not.
      if (grant.gone() != LossReason.RELEASED) {
        grant.check();
      }
      return result;
    }
  }

  /** Interrupts the thread that made it, but never after the body is done. */
  private static final class Interrupter {
    private @Nullable Thread body = Thread.currentThread();
    private boolean interrupted;

    synchronized void interrupt() {
      Thread thread = body;
      if (thread != null) {
        interrupted = true;
        thread.interrupt();
      }
    }

    synchronized void stop() {
      body = null;
      if (interrupted) {
        Thread.interrupted();
      }
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
