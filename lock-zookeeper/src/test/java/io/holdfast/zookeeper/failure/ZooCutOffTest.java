package io.holdfast.zookeeper.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.testing.zookeeper.ZooEnsemble;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A follower that is cut off from its leader goes on answering pings and reads for a while. */
@Tag("server")
class ZooCutOffTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static LockClient client(String addresses) {
    return Holdfast.builder()
        .defaultTtl(Duration.ofSeconds(1))
        .connect("zookeeper://%s?tickTime=%d".formatted(addresses, ZooServer.TICK.toMillis()));
  }

  @Test
  void aHolderOnAFollowerThatIsCutOffGivesUpBeforeAnybodyElseIsGranted() {
    try (ZooEnsemble ensemble = ZooEnsemble.launchWithTheFirstApart(3);
        LockClient apart = client(ensemble.members().get(0).address());
        LockClient other = client(ensemble.members().get(1).address())) {
      // given
      Grant held = apart.lock("a").acquire(TIMEOUT);

      // when
      ensemble.cutTheFirstOff();

      // then
      try (Grant next = other.lock("a").acquire(TIMEOUT)) {
        assertThat(held.isHeld()).isFalse();
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }
}
