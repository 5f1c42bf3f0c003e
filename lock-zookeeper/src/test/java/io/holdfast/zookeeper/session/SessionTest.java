package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.zookeeper.connection.SharedConnections;
import io.holdfast.zookeeper.layout.SessionNode;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Which renewals count, where the leader hears of them up to a tick later. */
class SessionTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration TICK = Duration.ofSeconds(2);

  private final Session session =
      new Session(
          new SessionNode(SessionId.fresh(), 1, new byte[0], TTL, 1, new byte[0]),
          new SharedConnections(
                  () -> {
                    throw new IllegalStateException("not used");
                  },
                  "nowhere")
              .forNoSession(),
          TICK,
          0,
          OptionalInt.empty());

  private boolean renews(Duration sent, Duration answered) {
    return session.renewed(sent.toNanos(), answered.toNanos(), 1);
  }

  private boolean renews(Duration at) {
    return renews(at, at);
  }

  @Test
  void renewalsInTimeCount() {
    assertThat(renews(Duration.ofSeconds(5))).isTrue();
    assertThat(renews(Duration.ofSeconds(15))).isTrue();
  }

  /** The leader may have given the session up, and not have heard of this yet. */
  @Test
  void aRenewalThatComesLateCountsNotUntilATickHasPassed() {
    Duration late = TTL.plusMillis(1);

    assertThat(renews(late)).isFalse();
    assertThat(renews(late.plus(TICK).minusMillis(1))).isFalse();
    assertThat(renews(late.plus(TICK))).isTrue();
    assertThat(renews(late.plus(TICK).plus(TTL))).isTrue();
  }

  @Test
  void aRenewalThatIsAnsweredLateIsLate() {
    assertThat(renews(TTL.minusSeconds(1), TTL.plusSeconds(1))).isFalse();
  }

  @Test
  void aSessionThatNobodyTriesToRenewIsToBeEndedAfterItsTtlAndATick() {
    session.tries(TTL.toNanos());

    assertThat(session.untilAbandoned(TTL.toNanos())).isEqualTo(TTL.plus(TICK));
    assertThat(session.untilAbandoned(TTL.multipliedBy(2).plus(TICK).toNanos())).isZero();
  }
}
