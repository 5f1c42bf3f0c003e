package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.zookeeper.layout.Moment;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class StoreClockTest {

  private static final long TERM = 1L << 32;

  private final StoreClock clock = new StoreClock();

  private static Stat write(long zxid, long millis) {
    Stat stat = new Stat();
    stat.setMzxid(zxid);
    stat.setMtime(millis);
    return stat;
  }

  private Optional<Duration> since(Stat stat) {
    clock.see(stat);
    return clock.since(Moment.ofWrite(stat));
  }

  @Test
  void theLatestWriteIsThePresentInWhateverOrderTheyAreSeen() {
    clock.see(write(TERM + 3, 5_000));
    clock.see(write(TERM + 2, 4_000));

    assertThat(since(write(TERM + 1, 1_000))).contains(Duration.ofSeconds(4));
  }

  @Test
  void ifThereWasNoOtherWriteNoTimeHasPassed() {
    assertThat(since(write(TERM + 1, 1_000))).contains(Duration.ZERO);
  }

  @Test
  void theClocksOfTwoLeadersAreNotCompared() {
    clock.see(write(2 * TERM + 1, 5_000));

    assertThat(since(write(TERM + 1, 1_000))).isEmpty();
  }

  @Test
  void aClockThatWasSetBackTellsNothing() {
    clock.see(write(TERM + 2, 1_000));

    assertThat(since(write(TERM + 1, 5_000))).isEmpty();
  }
}
