package io.holdfast.engine.gate;

import io.holdfast.AcquireOptions;
import io.holdfast.AcquireOptions.Interrupts;
import io.holdfast.HoldfastException;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.engine.hold.Terms;
import io.holdfast.engine.seam.Seam.Runner;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller's place in front of a gate. */
public final class Ticket {

  public final AcquireOptions options;
  final Duration ttl;
  final Terms terms;
  final Thread owner = Thread.currentThread();
  public final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  /** The gate whose line it has joined: it has an outcome once it is not there any more. */
  private volatile @Nullable Gate gate;

  public Ticket(AcquireOptions options, Duration ttl) {
    this.options = options;
    this.ttl = ttl;
    this.terms = new Terms(options, ttl);
  }

  /** It joins the line of a gate. */
  void joins(Gate joined) {
    gate = joined;
  }

  /** Returns the gate whose line it has joined; empty if it has its outcome without that. */
  public Optional<Gate> gate() {
    return Optional.ofNullable(gate);
  }

  boolean isOnce() {
    return options.maxWait().isPresent() && options.maxWait().get().isZero();
  }

  public boolean heedsInterrupts() {
    return options.interrupts() == Interrupts.END_THE_WAIT;
  }

  /** Where the calls are made for it: an interrupt would break those on the caller's thread. */
  Runner runner() {
    return heedsInterrupts() ? Runner.CALLER : Runner.BACKGROUND;
  }

  /** What becomes of it. */
  public sealed interface Outcome {}

  /** The caller holds the lock. */
  public record Acquired(HeldGrant grant) implements Outcome {}

  /** The caller did not get the lock, within the time that it was ready to wait. */
  public record NotAcquired(String why) implements Outcome {}

  /** Something went wrong; nothing is held. */
  public record Failed(HoldfastException failure) implements Outcome {}
}
