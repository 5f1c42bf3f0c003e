package io.holdfast.memory;

import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * How a store in memory is made. Immutable: every method returns a changed copy.
 *
 * @param wakeup whether waiters are told when it is their turn
 * @param expiry who ends a session whose time has passed
 * @param handOver in how many steps a lock changes hands
 * @param queueMax how many requests may wait for one lock
 * @param clockMicros the store's clock, in microseconds since 1970; called under the store's
 *     monitor
 * @param rules what the store decides
 */
public record MemoryOptions(
    Wakeup wakeup,
    Expiry expiry,
    HandOver handOver,
    int queueMax,
    LongSupplier clockMicros,
    MemoryRules rules) {

  /**
   * Hints are sent, others end sessions, a hand-over is one step, 10,000 may wait, and the system's
   * clock is used.
   */
  public static final MemoryOptions DEFAULTS =
      new MemoryOptions(
          Wakeup.PUSH,
          Expiry.BY_OTHERS,
          HandOver.ONE_STEP,
          10_000,
          MemoryOptions::systemMicros,
          MemoryRules.KEPT);

  /** Checks that the parts go together. */
  public MemoryOptions {
    if (expiry == Expiry.BY_STORE && handOver == HandOver.STEPS) {
      throw new IllegalArgumentException("A store that ends sessions hands over in one step.");
    }
  }

  /** In how many steps a lock changes hands. */
  public enum HandOver {
    /** In one: record and queue change together. */
    ONE_STEP,
    /** In several, as in a database without a transaction around them. */
    STEPS
  }

  /** With or without hints. */
  public MemoryOptions wakeup(Wakeup wakeup) {
    return new MemoryOptions(wakeup, expiry, handOver, queueMax, clockMicros, rules);
  }

  /** With sessions that others end, or the store. */
  public MemoryOptions expiry(Expiry expiry) {
    return new MemoryOptions(wakeup, expiry, handOver, queueMax, clockMicros, rules);
  }

  /** With a hand-over in so many steps. */
  public MemoryOptions handOver(HandOver handOver) {
    return new MemoryOptions(wakeup, expiry, handOver, queueMax, clockMicros, rules);
  }

  /** With queues of at most so many waiting requests. */
  public MemoryOptions queueMax(int queueMax) {
    return new MemoryOptions(wakeup, expiry, handOver, queueMax, clockMicros, rules);
  }

  /** With a clock of its own. */
  public MemoryOptions clockMicros(LongSupplier clockMicros) {
    return new MemoryOptions(wakeup, expiry, handOver, queueMax, clockMicros, rules);
  }

  /** With other decisions than the right ones. */
  public MemoryOptions rules(MemoryRules rules) {
    return new MemoryOptions(wakeup, expiry, handOver, queueMax, clockMicros, rules);
  }

  private static long systemMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
