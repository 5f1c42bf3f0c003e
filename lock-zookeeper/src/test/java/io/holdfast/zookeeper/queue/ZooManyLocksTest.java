package io.holdfast.zookeeper.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.ZookeeperLockProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A session with so many requests that their paths do not fit into one answer. */
@Tag("server")
class ZooManyLocksTest extends ZooQueueTestBase {

  /** Each path has more than 1,500 characters, as a slash is written with three. */
  private static final int LOCKS = 1_000;

  private static final String LONG_NAME = "/".repeat(500);

  @Test
  void whoResumesItFindsAll() {
    List<RequestKey> held = new ArrayList<>();
    SpiClient orphan;
    try (LockBackend earlier =
        new ZookeeperLockProvider()
            .connect(requests.uri(), BackendOptions.DEFAULTS, StoreFixture.soon())) {
      orphan = SpiClient.open(earlier, StoreFixture.LONG);
      for (int i = 0; i < LOCKS; i++) {
        held.add(orphan.hold(new LockName(LONG_NAME + i)).request().key());
        if (i % 100 == 0) {
          orphan.renewed();
        }
      }
      orphan.renewed();
    }

    Resumed resumed =
        ((ResumableSessions) backend).resume(orphan.session(), StoreFixture.soon()).orElseThrow();

    assertThat(resumed.requests()).containsExactlyInAnyOrderElementsOf(held);
  }
}
