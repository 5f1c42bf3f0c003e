package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTimesTest {

  private static final Duration TICK = Duration.ofSeconds(2);

  private final SessionTimes times = new SessionTimes(TICK);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 1_000, 1_001, 29_999, 30_000, 86_400_000})
  void aTimeoutThatIsGrantedAsAskedGivesTheTtlThatWasWanted(long millis) {
    Duration ttl = Duration.ofMillis(millis);

    assertThat(times.ttl(times.timeout(ttl))).isEqualTo(ttl);
  }

  /** By a third of the TTL, after which the next one comes, and more for one that comes late. */
  @Test
  void theTimeoutCoversTheRenewalBefore() {
    Duration ttl = Duration.ofSeconds(15);

    assertThat(times.counted(times.timeout(ttl))).isGreaterThan(ttl.plus(ttl.dividedBy(3)));
  }

  @Test
  void aSessionThatGoesWithAnApplicationsCoversThatItsClientWasSilent() {
    Duration timeout = Duration.ofSeconds(40);
    Duration ttl = times.sharedTtl(timeout);

    assertThat(ttl).isPositive();
    assertThat(ttl.plus(times.sharedLag(timeout))).isLessThanOrEqualTo(times.counted(timeout));
    assertThat(times.sharedTtl(TICK.multipliedBy(3))).isZero();
  }

  @Test
  void noSessionHasALongerTimeoutThanTheLongest() {
    Duration timeout = Duration.ofSeconds(40);

    assertThat(times.longestTimeout(times.ttl(timeout))).isGreaterThanOrEqualTo(timeout);
    assertThat(times.longestTimeout(times.sharedTtl(timeout)))
        .isCloseTo(timeout, Duration.ofMillis(2));
  }
}
