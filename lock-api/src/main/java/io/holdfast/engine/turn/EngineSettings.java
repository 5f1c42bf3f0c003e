package io.holdfast.engine.turn;

import io.holdfast.LockEvent;
import io.holdfast.ProcessIdentity;
import io.holdfast.error.BadRequestException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A client's settings, checked.
 *
 * @param process who the process says it is
 * @param defaultTtl the TTL of sessions unless a call asks for another
 * @param heartbeat the greatest time between two heartbeats; a third of the TTL if empty
 * @param grace how long jeopardy may last; one TTL if empty
 * @param clockRateBound how far clock rates may differ, as a fraction
 * @param namePrefix put before every lock's name
 * @param releaseOnExit whether grants are released when the JVM exits
 * @param listeners told of events
 * @param asyncExecutor where the futures of asynchronous acquires are completed
 */
public record EngineSettings(
    ProcessIdentity process,
    Duration defaultTtl,
    Optional<Duration> heartbeat,
    Optional<Duration> grace,
    double clockRateBound,
    String namePrefix,
    boolean releaseOnExit,
    List<Consumer<LockEvent>> listeners,
    Executor asyncExecutor) {

  /** The smallest TTL: below it, scheduling noise alone ends sessions. */
  public static final Duration TTL_MIN = Duration.ofMillis(10);

  /** Longer than any process lives, and short enough to be counted in nanoseconds. */
  public static final Duration DURATION_MAX = Duration.ofDays(365L * 100);

  /** How many distinct TTLs a client may use. */
  public static final int TTLS_MAX = 8;

  private static final int TICKS_PER_HEARTBEAT = 16;

  private static final long TICK_MIN_NANOS = 5_000_000;

  /** Checks what depends on more than one setting. */
  public EngineSettings {
    requireTtl(defaultTtl);
    if (heartbeat.isPresent() && heartbeat.get().multipliedBy(2).compareTo(defaultTtl) > 0) {
      throw new BadRequestException(
          "The heartbeat (%s) must be at most half the TTL (%s), or one lost answer ends the session."
              .formatted(heartbeat.get(), defaultTtl));
    }
  }

  /** Returns the TTL in whole milliseconds, as stores count. */
  public static Duration requireTtl(Duration ttl) {
    if (ttl.compareTo(TTL_MIN) < 0 || ttl.compareTo(DURATION_MAX) > 0) {
      throw new BadRequestException(
          "A TTL must be from %s to %s: %s was asked for.".formatted(TTL_MIN, DURATION_MAX, ttl));
    }
    boolean isWhole = ttl.toNanosPart() % 1_000_000 == 0;
    return isWhole ? ttl : Duration.ofMillis(ttl.toMillis());
  }

  public long heartbeatNanos(Duration ttl) {
    long third = ttl.toNanos() / 3;
    return heartbeat.isPresent() ? Math.min(heartbeat.get().toNanos(), third) : third;
  }

  /**
   * Returns how often the clocks are compared while a session of a TTL lives or is opened: sixteen
   * times between two heartbeats, three times a second by default.
   */
  public long tickNanos(Duration ttl) {
    return Math.max(heartbeatNanos(ttl) / TICKS_PER_HEARTBEAT, TICK_MIN_NANOS);
  }

  public long graceNanos(Duration ttl) {
    return grace.orElse(ttl).toNanos();
  }
}
