package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Deadline;
import io.holdfast.testing.zookeeper.ZooEnsemble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A session moves to another server while requests of its earlier connection are under way. */
@Tag("server")
class ZooMovedSessionTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LAG = Duration.ofMillis(500);
  private static final int REQUESTS = 20;

  private static Connector connector(String address) {
    return new Connector(ZookeeperUri.parse("zookeeper://" + address), "here");
  }

  private static List<CompletableFuture<String>> create(ZooKeeper client, String name) {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      client.create(
          name + i,
          new byte[0],
          Ids.OPEN_ACL_UNSAFE,
          CreateMode.PERSISTENT,
          (code, asked, context, path) ->
              answer.complete(code == Code.OK.intValue() ? path : Code.get(code).name()),
          null);
      answers.add(answer);
    }
    return answers;
  }

  /**
   * A server takes a change that it hears of for the one that its own client has asked for, if both
   * have the same session and the same number: and each connection counts its requests.
   */
  @Test
  void aRequestIsNotAnsweredWithTheResultOfOneThatAnotherConnectionHasMade() throws Exception {
    try (ZooEnsemble ensemble = ZooEnsemble.launchWithTheFirstApart(3)) {
      // given
      OwnConnection before =
          OwnConnection.forNewSession(connector(ensemble.members().get(0).address()), LONG);
      ZooKeeper client = before.connected(Deadline.in(LONG));
      SessionIdentity identity = before.identity(client);
      ensemble.letTheFirstLag(LAG);

      // when; both have asked for something before
      client.exists("/", false, (code, path, context, stat) -> {}, null);
      List<CompletableFuture<String>> late = create(client, "/before");
      OwnConnection after =
          OwnConnection.ofSession(connector(ensemble.leader().address()), LONG, identity);
      List<CompletableFuture<String>> made = create(after.connected(Deadline.in(LONG)), "/after");

      // then
      for (int i = 0; i < REQUESTS; i++) {
        assertThat(made.get(i).get(LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo("/after" + i);
        assertThat(late.get(i).get(LONG.toSeconds(), TimeUnit.SECONDS))
            .isIn("/before" + i, Code.SESSIONMOVED.name(), Code.CONNECTIONLOSS.name());
      }
      before.disconnect();
      after.disconnect();
    }
  }
}
