package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.client.HostProvider;
import org.junit.jupiter.api.Test;

class ServerRotationTest {

  @Test
  void eachConnectionGoesOnWhereTheLastOneStopped() {
    ServerRotation rotation = new ServerRotation("127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
    List<Integer> ports = new ArrayList<>();

    for (int connection = 0; connection < 4; connection++) {
      HostProvider servers = rotation.hostProvider();
      ports.add(servers.next(0).getPort());
      ports.add(servers.next(0).getPort());
    }

    for (int turn = 1; turn < ports.size(); turn++) {
      assertThat(ports.get(turn)).isEqualTo(ports.get(turn - 1) % 3 + 1);
    }
  }

  @Test
  void aServerThatIsNotKnownIsLeftToTheLibrary() {
    assertThat(new ServerRotation("nobody.invalid:7").hostProvider().next(0).isUnresolved())
        .isTrue();
  }
}
