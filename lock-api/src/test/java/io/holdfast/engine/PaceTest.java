package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PaceTest {

  @Test
  void whatFallsDueIsLookedAtThenAlthoughTheStorePushes() {
    Pace pace = new Pace(0);
    pace.lookSent();

    pace.standsBehind(1, Wakeup.PUSH, Optional.of(Duration.ofSeconds(4)), 0);
    assertThat(pace.dueAtNanos()).hasValue(Duration.ofSeconds(4).toNanos());

    pace.standsBehind(1, Wakeup.PUSH, Optional.empty(), 0);
    assertThat(pace.dueAtNanos()).isEmpty();
  }
}
