package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.testing.zookeeper.ZooServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that refuse what a client does, and will refuse it again. */
@Tag("server")
class ZooRefusalsTest {

  @Test
  void serversThatDemandAnotherLoginSaySo() {
    try (ZooServer server =
        ZooServer.launch("enforce.auth.enabled=true", "enforce.auth.schemes=digest")) {
      assertThatThrownBy(() -> Holdfast.connect(server.uri()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("another login");
      try (LockClient locks = Holdfast.connect("zookeeper://app:secret@" + server.address())) {
        assertThat(locks.find("a")).isEmpty();
      }
    }
  }
}
