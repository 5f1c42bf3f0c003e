package io.holdfast.engine;

import io.holdfast.AcquireOptions;
import io.holdfast.HoldfastException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One caller's place in front of a gate. */
final class Ticket {

  final AcquireOptions options;
  final Duration ttl;
  final Thread owner = Thread.currentThread();
  final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  /** Whether it was put into a gate's line, so that it has its outcome once it is not there. */
  boolean isInLine;

  Ticket(AcquireOptions options, Duration ttl) {
    this.options = options;
    this.ttl = ttl;
  }

  boolean isOnce() {
    return options.patience().isPresent() && options.patience().get().isZero();
  }

  /** What becomes of it. */
  sealed interface Outcome {}

  /** The lock was had. */
  record Had(HeldGrant grant) implements Outcome {}

  /** The lock was not to be had now. */
  record NotHad(String why) implements Outcome {}

  /** Something went wrong; nothing is held. */
  record Failed(HoldfastException failure) implements Outcome {}
}
