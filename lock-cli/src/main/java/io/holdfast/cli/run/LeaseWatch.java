package io.holdfast.cli.run;

import io.holdfast.LossReason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the command must stop so that nothing of it is left when the lease ends: at a third
 * of the TTL it is told, at a tenth it is killed, at a twentieth the keeper kills it.
 *
 * <p>Knows no clock and no process: it is told the time and answers with what to do. Times are
 * milliseconds since the machine started.
 */
final class LeaseWatch {

  /** What the lease demands. */
  enum Demand {
    NOTHING,
    STOP,
    KILL
  }

  private static final String STOPPED =
      "its lease ran out while this process was stopped, asleep or starved";

  private long ttlMillis;
  private long endMillis;
  private Demand demanded = Demand.NOTHING;
  private @Nullable String reason;

  /** Starts with a lease that was seen at a time. */
  LeaseWatch(Duration ttl, long nowMillis, Duration remaining) {
    this.ttlMillis = ttl.toMillis();
    this.endMillis = nowMillis + remaining.toMillis();
  }

  /** The store has granted another TTL than was asked for. */
  void ttlIs(Duration ttl) {
    ttlMillis = ttl.toMillis();
  }

  /** Returns when the keeper is to kill the command, should nobody say otherwise until then. */
  long keeperKillsAtMillis() {
    return endMillis - ttlMillis / 20;
  }

  /** Returns how long the next look may be away. */
  Duration pause() {
    return Duration.ofMillis(Math.min(250, Math.max(10, ttlMillis / 20)));
  }

  /**
   * Looks at the lease.
   *
   * @param nowMillis read before the lease was, so that a pause between the two makes it shorter
   * @param remaining how long the lease lasts
   * @param loss why the grant was lost, if it was
   * @return what is to be done now and was not demanded before
   */
  Demand look(long nowMillis, Duration remaining, Optional<LossReason> loss) {
    Demand demand = demand(nowMillis, remaining, loss);
    if (demand.compareTo(demanded) <= 0) {
      return Demand.NOTHING;
    }
    demanded = demand;
    return demand;
  }

  /** Returns what led to the last demand. */
  String reason() {
    return reason == null ? "" : reason;
  }

  /**
   * Says at the command's end why the lock cannot be said to have been held throughout; empty if it
   * was, and the command was left in peace.
   */
  Optional<String> doubt(long nowMillis, boolean held, Optional<LossReason> loss) {
    if (demanded != Demand.NOTHING) {
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
    // First, because the lease may have been saved since: others may have held the lock meanwhile
    // for all we know, and the keeper goes by the same rule.
    if (nowMillis >= keeperKillsAtMillis()) {
      return because(STOPPED, Demand.KILL);
    }
    if (loss.isPresent() && loss.get() != LossReason.REVOKED) {
      return because(text(loss.get()), Demand.KILL);
    }
    if (loss.isPresent()) {
      // The lock passes on a whole TTL after the revocation. What was left of the lease when it
      // was last seen is less than that.
      because(text(LossReason.REVOKED), Demand.STOP);
    } else if (!remaining.isZero()) {
      // One that is over all of a sudden goes on to count: why it is, is about to be told.
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
      case REVOKED -> "it was revoked (by 'break', or by a later life of this process)";
      case RELEASED, CLIENT_CLOSED, ORPHANED -> "it was given back";
    };
  }
}
