package io.holdfast.etcd.connection;

import io.etcd.jetcd.lease.LeaseTimeToLiveResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How much was left of leases when etcd was asked. It tells whole seconds, rounded down. A leader
 * that was just elected tells somewhat more than it has granted; one that was just replaced counts
 * no time any more and tells {@link #NOT_KNOWN}.
 *
 * @param answers by lease; a lease that is over may be missing
 */
public record LeaseTimes(Map<Long, LeaseTimeToLiveResponse> answers) {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long NOT_KNOWN = Duration.ofNanos(Long.MAX_VALUE).toSeconds();

  /** Returns a time that is certainly left; zero if the lease is over. */
  public Duration atLeast(long lease) {
    return find(lease).map(LeaseTimes::left).orElse(Duration.ZERO);
  }

  /** Returns a time after which the lease has run out; zero if it is over. */
  public Duration atMost(long lease) {
    return find(lease).map(LeaseTimes::leftAtMost).orElse(Duration.ZERO);
  }

  /**
   * Returns the time that is certainly left of one that began with the lease and may end before it.
   */
  public Duration leftOf(Duration time, long lease) {
    return find(lease)
        .map(answer -> time.minus(granted(answer)).plus(left(answer)))
        .filter(left -> !left.isNegative())
        .orElse(Duration.ZERO);
  }

  /** A lease that is unknown to etcd has a negative time. */
  private Optional<LeaseTimeToLiveResponse> find(long lease) {
    return Optional.ofNullable(answers.get(lease)).filter(answer -> answer.getTTL() >= 0);
  }

  private static Duration left(LeaseTimeToLiveResponse answer) {
    return answer.getTTL() >= NOT_KNOWN
        ? Duration.ZERO
        : Duration.ofSeconds(Math.min(answer.getTTL(), answer.getGrantedTTL()));
  }

  private static Duration leftAtMost(LeaseTimeToLiveResponse answer) {
    Duration left = left(answer).plus(SECOND);
    boolean isAll = answer.getTTL() >= NOT_KNOWN || left.compareTo(granted(answer)) > 0;
    return isAll ? granted(answer) : left;
  }

  private static Duration granted(LeaseTimeToLiveResponse answer) {
    return Duration.ofSeconds(answer.getGrantedTTL());
  }
}
