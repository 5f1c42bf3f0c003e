package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.client.HostProvider;
import org.junit.jupiter.api.Test;

class ServerRotationTest {

  @Test
  void eachConnectionGoesOnWhereTheLastOneStopped() {
    ServerRotation rotation =
        new ServerRotation(new Servers("127.0.0.1:1,127.0.0.1:2,127.0.0.1:3"));
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

  /** Else each session that is opened might wait for a server that stands still. */
  @Test
  void aConnectionBeginsWithTheServerThatConnectedLast() {
    Connector connector =
        new Connector(
            ZookeeperUri.parse("zookeeper://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3"), "here");
    HostProvider servers = connector.rotation().hostProvider();
    servers.next(0);
    int connects = servers.next(0).getPort();
    servers.onConnected();
    List<Integer> ports = new ArrayList<>();

    for (int connection = 0; connection < 20; connection++) {
      HostProvider next = connector.rotation().hostProvider();
      ports.add(next.next(0).getPort());
      next.onConnected();
    }

    assertThat(ports).containsOnly(connects);
  }

  /** A session may be given up before it comes to the next server by itself. */
  @Test
  void aServerThatDoesNotConnectAnyMoreIsNotTheFirstAgainAndAgain() {
    Connector connector =
        new Connector(
            ZookeeperUri.parse("zookeeper://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3"), "here");
    HostProvider servers = connector.rotation().hostProvider();
    servers.next(0);
    servers.onConnected();
    Set<Integer> ports = new HashSet<>();

    for (int connection = 0; connection < 3; connection++) {
      ports.add(connector.rotation().hostProvider().next(0).getPort());
    }

    assertThat(ports).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void theFirstConnectionBeginsAnywhere() {
    ZookeeperUri uri = ZookeeperUri.parse("zookeeper://127.0.0.1:1,127.0.0.1:2");
    Set<Integer> ports = new HashSet<>();

    for (int client = 0; client < 100; client++) {
      ports.add(new Connector(uri, "here").rotation().hostProvider().next(0).getPort());
    }

    assertThat(ports).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void aServerThatIsNotKnownIsLeftToTheLibrary() {
    assertThat(
            new ServerRotation(new Servers("nobody.invalid:7"))
                .hostProvider()
                .next(0)
                .isUnresolved())
        .isTrue();
  }
}
