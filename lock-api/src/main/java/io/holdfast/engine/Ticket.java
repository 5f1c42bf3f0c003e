package io.holdfast.engine;

import io.holdfast.AcquireOptions;
import io.holdfast.AcquireOptions.Interrupts;
import io.holdfast.HoldfastException;
import io.holdfast.engine.seam.Seam.Runner;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller's place in front of a gate. */
final class Ticket {

  final AcquireOptions options;
  final Duration ttl;
  final Thread owner = Thread.currentThread();
  final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  /** The gate whose line it has joined: it has an outcome once it is not there any more. */
  volatile @Nullable Gate gate;

  Ticket(AcquireOptions options, Duration ttl) {
    this.options = options;
    this.ttl = ttl;
  }

  boolean isOnce() {
    return options.maxWait().isPresent() && options.maxWait().get().isZero();
  }

  boolean heedsInterrupts() {
    return options.interrupts() == Interrupts.END_THE_WAIT;
  }

  /** Where the calls are made for it: an interrupt would break those on the caller's thread. */
  Runner runner() {
    return heedsInterrupts() ? Runner.CALLER : Runner.BACKGROUND;
  }

  /** What becomes of it. */
  sealed interface Outcome {}

  /** The caller holds the lock. */
  record Acquired(HeldGrant grant) implements Outcome {}

  /** The caller did not get the lock, within the time that it was ready to wait. */
  record NotAcquired(String why) implements Outcome {}

  /** Something went wrong; nothing is held. */
  record Failed(HoldfastException failure) implements Outcome {}
}
