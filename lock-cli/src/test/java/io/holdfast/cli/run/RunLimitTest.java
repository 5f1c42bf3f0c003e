package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunLimitTest {

  private static final long START = 1_000_000;
  private static final long END = START + 5_000;
  private static final long KILL = END + RunLimit.KILL_AFTER.toMillis();

  private final RunLimit limit = new RunLimit(START, Duration.ofSeconds(5));

  @Test
  void nothingIsDemandedBeforeTheTimeIsOver() {
    assertThat(limit.look(START)).isEqualTo(Demand.NOTHING);
    assertThat(limit.look(END - 1)).isEqualTo(Demand.NOTHING);

    assertThat(limit.wasReached()).isFalse();
  }

  @Test
  void aCommandIsAskedOnceAndThenKilledOnce() {
    assertThat(limit.look(END)).isEqualTo(Demand.STOP);
    assertThat(limit.wasReached()).isTrue();
    assertThat(limit.look(KILL - 1)).isEqualTo(Demand.NOTHING);
    assertThat(limit.look(KILL)).isEqualTo(Demand.KILL);
    assertThat(limit.look(KILL + 1)).isEqualTo(Demand.NOTHING);
  }

  @Test
  void aProcessThatSleptForLongKillsAtOnce() {
    assertThat(limit.look(KILL + 1)).isEqualTo(Demand.KILL);
    assertThat(limit.look(KILL + 2)).isEqualTo(Demand.NOTHING);
  }
}
