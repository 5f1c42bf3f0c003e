package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.connection.SharedConnections;
import io.holdfast.zookeeper.layout.SessionNode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Which renewals count, where the leader hears of them up to a tick later. */
class SessionTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration TICK = Duration.ofSeconds(2);
  private static final SessionTimes TIMES = new SessionTimes(TICK);

  private final Session session =
      new Session(
          new SessionNode(SessionId.fresh(), 1, new byte[0], TTL, 1, new byte[0]),
          new SharedConnections(
                  () -> {
                    throw new IllegalStateException("not used");
                  },
                  "nowhere")
              .forNoSession(),
          TIMES,
          new Session.Renewal(0, 0, TIMES.timeout(TTL)),
          OptionalInt.empty(),
          Optional.empty());

  private Duration renewed(Duration sent, Duration answered, Duration timeout) {
    return session.renewed(new Session.Renewal(sent.toNanos(), answered.toNanos(), timeout), 1);
  }

  private Duration renewed(Duration at) {
    return renewed(at, at, TIMES.timeout(TTL));
  }

  @Test
  void renewalsInTimeCountInFull() {
    assertThat(renewed(Duration.ofSeconds(4))).isEqualTo(TTL);
    assertThat(renewed(Duration.ofSeconds(8))).isEqualTo(TTL);
    assertThat(renewed(Duration.ofSeconds(12))).isEqualTo(TTL);
  }

  /** The leader may know of the renewal before only. */
  @Test
  void aRenewalCountsFromTheOneBefore() {
    assertThat(renewed(Duration.ofSeconds(9))).isEqualTo(Duration.ofSeconds(5));
    assertThat(renewed(Duration.ofSeconds(12))).isEqualTo(TTL);
  }

  /** The follower may not have told of the one before either. */
  @Test
  void aRenewalIsHeardOfATickAfterItsAnswer() {
    assertThat(renewed(Duration.ofSeconds(5), Duration.ofSeconds(7), TIMES.timeout(TTL)))
        .isEqualTo(Duration.ofSeconds(9));
    assertThat(renewed(Duration.ofMillis(8_999))).isEqualTo(Duration.ofMillis(5_001));
    assertThat(renewed(Duration.ofSeconds(9))).isEqualTo(TTL);
  }

  /** The leader may have given the session up, and not have heard of this yet. */
  @Test
  void aRenewalThatComesLateCountsNotUntilATickHasPassed() {
    Duration late = TTL.multipliedBy(2);

    assertThat(renewed(late)).isLessThanOrEqualTo(Duration.ZERO);
    assertThat(renewed(late.plus(TICK).minusMillis(1))).isLessThanOrEqualTo(Duration.ZERO);
    assertThat(renewed(late.plus(TICK))).isEqualTo(TTL);
  }

  /** A session that moves takes the longest timeout that its new server grants. */
  @Test
  void aShorterTimeoutCountsAtOnce() {
    assertThat(renewed(Duration.ofSeconds(3), Duration.ofSeconds(3), Duration.ofSeconds(8)))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(renewed(Duration.ofSeconds(6), Duration.ofSeconds(6), Duration.ofSeconds(8)))
        .isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void aSessionThatNobodyTriesToRenewIsToBeEndedAfterItsTtlAndATick() {
    session.tries(TTL.toNanos());

    assertThat(session.untilAbandoned(TTL.toNanos())).isEqualTo(TTL.plus(TICK));
    assertThat(session.untilAbandoned(TTL.multipliedBy(2).plus(TICK).toNanos())).isZero();
  }
}
