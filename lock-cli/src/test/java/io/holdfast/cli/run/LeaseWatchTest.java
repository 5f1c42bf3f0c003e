package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseWatchTest {

  private static final Duration TTL = Duration.ofSeconds(30);
  private static final long START = 1_000_000;

  private final LeaseWatch watch = new LeaseWatch(TTL, START, TTL);

  @Test
  void aLeaseThatIsRenewedDemandsNothing() {
    for (int second = 0; second < 1000; second++) {
      assertThat(look(second, 30 - second % 10)).isEqualTo(Demand.NOTHING);
    }
    assertThat(doubt(1000)).isEmpty();
  }

  @Test
  void atAThirdTheCommandIsToStopAndAtATenthItIsKilled() {
    assertThat(look(19, 11)).isEqualTo(Demand.NOTHING);
    assertThat(look(20, 10)).isEqualTo(Demand.STOP);
    assertThat(look(21, 9)).as("demanded once").isEqualTo(Demand.NOTHING);
    assertThat(look(27, 3)).isEqualTo(Demand.KILL);
    assertThat(watch.reason()).contains("could not be renewed");
  }

  @Test
  void theKeeperKillsLaterThanWeButBeforeTheLeaseEnds() {
    look(5, 25);
    assertThat(watch.keeperKillsAtMillis()).isEqualTo(START + 30_000 - 1_500);
  }

  @Test
  void aLeaseThatWasSavedAfterTheCommandWasToldToStopIsStillADoubt() {
    look(20, 10);
    assertThat(look(21, 30)).isEqualTo(Demand.NOTHING);
    assertThat(doubt(22)).isPresent();
  }

  @Test
  void whoWasStoppedPastTheLeaseKillsEvenIfTheLeaseWasSavedSince() {
    look(1, 29);
    assertThat(look(3600, 30)).isEqualTo(Demand.KILL);
    assertThat(watch.reason()).contains("stopped, asleep");
  }

  @Test
  void whoWasStoppedPastTheLeaseSaysSoAlsoIfTheCommandIsGoneByThen() {
    look(1, 29);
    assertThat(watch.doubt(START + 3_600_000, true, Optional.empty())).isPresent();
  }

  @Test
  void anEndedSessionAndAnExpiredLeaseKillAtOnce() {
    assertThat(lost(1, LossReason.SESSION_ENDED)).isEqualTo(Demand.KILL);
    LeaseWatch other = new LeaseWatch(TTL, START, TTL);
    assertThat(other.look(START, Duration.ZERO, Optional.of(LossReason.LEASE_EXPIRED)))
        .isEqualTo(Demand.KILL);
  }

  @Test
  void aRevokedCommandIsToStopAndIsKilledBeforeItsLastLeaseEnds() {
    look(5, 25);
    assertThat(lost(6, LossReason.REVOKED)).isEqualTo(Demand.STOP);
    assertThat(lost(26, LossReason.REVOKED)).isEqualTo(Demand.NOTHING);
    assertThat(lost(27, LossReason.REVOKED)).isEqualTo(Demand.KILL);
    assertThat(watch.reason()).contains("revoked");
    assertThat(watch.keeperKillsAtMillis()).isEqualTo(START + 30_000 - 1_500);
  }

  @Test
  void aLeaseThatIsGoneBeforeItsTimeWaitsForTheReason() {
    look(5, 25);
    assertThat(look(6, 0)).isEqualTo(Demand.NOTHING);
    assertThat(lost(7, LossReason.REVOKED)).isEqualTo(Demand.STOP);
    assertThat(watch.reason()).contains("revoked");
  }

  @Test
  void aLeaseThatIsGoneWithoutAReasonEndsWhenItWouldHave() {
    look(5, 25);
    assertThat(look(20, 0)).isEqualTo(Demand.STOP);
    assertThat(look(27, 0)).isEqualTo(Demand.KILL);
  }

  @Test
  void theTtlThatTheStoreGrantedCounts() {
    LeaseWatch granted = new LeaseWatch(TTL, START, Duration.ofSeconds(9));
    granted.ttlIs(Duration.ofSeconds(9));
    assertThat(granted.look(START + 1000, Duration.ofSeconds(8), Optional.empty()))
        .isEqualTo(Demand.NOTHING);
  }

  @Test
  void aGrantThatIsNotHeldAtTheEndIsADoubt() {
    assertThat(watch.doubt(START + 10, false, Optional.empty())).isPresent();
    assertThat(watch.doubt(START + 10, false, Optional.of(LossReason.REVOKED)))
        .hasValueSatisfying(text -> assertThat(text).contains("revoked"));
  }

  private Demand look(long second, long remaining) {
    return watch.look(START + second * 1000, Duration.ofSeconds(remaining), Optional.empty());
  }

  private Demand lost(long second, LossReason reason) {
    return watch.look(START + second * 1000, Duration.ZERO, Optional.of(reason));
  }

  private Optional<String> doubt(long second) {
    return watch.doubt(START + second * 1000, true, Optional.empty());
  }
}
