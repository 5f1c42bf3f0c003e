package io.holdfast.cli.run;

import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the command must stop, so that no process of it is left when the lease ends. When a
 * third of the TTL is left the command is asked to stop, when a tenth is left it is killed, and
 * when a twentieth is left the keeper kills it.
 *
 * <p>Reads no clock and signals no process. The caller gives it the time, and it returns what to
 * do. Times are milliseconds since the machine started.
 */
final class LeaseWatch {

  private static final String STOPPED =
      "its lease ran out while this process was stopped, asleep or starved";

  private long ttlMillis;
  private long endMillis;
  private final Demand.Rising demands = new Demand.Rising();
  private @Nullable String reason;

  /** Starts with the lease as it was read at a time. */
  LeaseWatch(Duration ttl, long nowMillis, Duration remaining) {
    this.ttlMillis = ttl.toMillis();
    this.endMillis = nowMillis + remaining.toMillis();
  }

  /** Sets the TTL that the store has granted, if it differs from the requested one. */
  void ttlIs(Duration ttl) {
    ttlMillis = ttl.toMillis();
  }

  /**
   * Returns when the keeper must kill the command, unless the keeper is given another time before.
   */
  long keeperKillsAtMillis() {
    return endMillis - ttlMillis / 20;
  }

  /** Returns how long the caller may wait until it calls {@link #look} again. */
  Duration pause() {
    return Duration.ofMillis(Math.min(250, Math.max(10, ttlMillis / 20)));
  }

  /**
   * Looks at the lease.
   *
   * @param nowMillis read before the lease, so that a pause between the two reads makes the lease
   *     shorter
   * @param remaining how long the lease lasts
   * @param loss why the grant was lost, if it was
   * @return what the caller must do now, if it was not demanded before
   */
  Demand look(long nowMillis, Duration remaining, Optional<LossReason> loss) {
    return demands.to(demand(nowMillis, remaining, loss));
  }

  /** Returns the reason for the last demand. */
  String reason() {
    return reason == null ? "" : reason;
  }

  /**
   * Returns, at the command's end, why the lock was perhaps not held all the time. Empty if the
   * lock was held all the time and nothing was demanded.
   */
  Optional<String> doubt(long nowMillis, boolean held, Optional<LossReason> loss) {
    if (demands.isMade()) {
      return Optional.of(reason());
    }
    if (nowMillis >= keeperKillsAtMillis()) {
      return Optional.of(STOPPED);
    }
    if (loss.isPresent() || !held) {
      return Optional.of(text(loss.orElse(LossReason.LEASE_EXPIRED)));
    }
    return Optional.empty();
  }

  private Demand demand(long nowMillis, Duration remaining, Optional<LossReason> loss) {
    // Checked first, because a renewal may have saved the lease since. Another client may have held
    // the lock in between, and the keeper applies the same rule.
    if (nowMillis >= keeperKillsAtMillis()) {
      return because(STOPPED, Demand.KILL);
    }
    if (loss.isPresent() && loss.get() != LossReason.REVOKED) {
      return because(text(loss.get()), Demand.KILL);
    }
    if (loss.isPresent()) {
      // The lock passes on a whole TTL after the revocation. The rest of the lease when it was last
      // seen is less than that.
      because(text(LossReason.REVOKED), Demand.STOP);
    } else if (!remaining.isZero()) {
      // If the lease is over suddenly, the last reading still counts: the reason is about to
      // arrive.
      endMillis = nowMillis + remaining.toMillis();
    }
    long left = endMillis - nowMillis;
    if (left <= ttlMillis / 10) {
      return because("its lease could not be renewed", Demand.KILL);
    }
    if (loss.isPresent()) {
      return Demand.STOP;
    }
    return left <= ttlMillis / 3
        ? because("its lease could not be renewed", Demand.STOP)
        : Demand.NOTHING;
  }

  private Demand because(String why, Demand demand) {
    if (reason == null) {
      reason = why;
    }
    return demand;
  }

  private static String text(LossReason loss) {
    return switch (loss) {
      case SESSION_ENDED -> "the store has ended its session";
      case LEASE_EXPIRED -> "its lease ran out";
      case REVOKED -> "it was revoked (by 'break', or by a later run of this process)";
      case RELEASED, CLIENT_CLOSED, ORPHANED, AT_MOST_REACHED -> "it was released";
    };
  }
}
