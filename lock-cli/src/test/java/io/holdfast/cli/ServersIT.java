package io.holdfast.cli;

import io.holdfast.tck.report.Soak;
import io.holdfast.testing.etcd.EtcdServer;
import io.holdfast.testing.mariadb.MariaServer;
import io.holdfast.testing.postgres.PostgresServer;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.zookeeper.ZooServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The same job on each kind of server, from two working directories at once. It starts many JVMs,
 * so not all tests run at the same time: one of each lock.
 */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class ServersIT {

  private static final String FIRST = "first of ServersIT";
  private static final String SECOND = "second of ServersIT";
  private static final String THIRD = "third of ServersIT";

  @TempDir private Path directory;

  private void countOn(String uri) throws Exception {
    Counter counter = Counter.in(directory, 3);
    Path one = Files.createDirectory(directory.resolve("one"));
    Path other = Files.createDirectory(directory.resolve("other"));
    try (Tool here = new Tool(Tool.built(), one);
        Tool there = new Tool(Tool.built(), other)) {
      counter.countWith(List.of(here, there), "--ttl", "5s", "--backend", uri);
    }
    counter.assertThatNoUpdateIsLost();
    try (Tool tool = new Tool(Tool.built(), one)) {
      new OnceJob(directory.resolve("ran"), Soak.REQUESTED ? 10 : 3)
          .startOn(tool, "--backend", uri);
    }
  }

  @Test
  @ResourceLock(FIRST)
  void noUpdateIsLostOnPostgresWhileHoldersAreKilled() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      countOn(server.uri());
    }
  }

  @Test
  @ResourceLock(SECOND)
  void noUpdateIsLostOnMariaDbWhileHoldersAreKilled() throws Exception {
    try (MariaServer server = MariaServer.launch()) {
      countOn(server.uri());
    }
  }

  /** Without the restart guard, which a server just started has. */
  @Test
  @ResourceLock(THIRD)
  void noUpdateIsLostOnRedisWhileHoldersAreKilled() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      countOn(server.uri() + "?restartGuard=off");
    }
  }

  @Test
  @ResourceLock(FIRST)
  void noUpdateIsLostOnEtcdWhileHoldersAreKilled() throws Exception {
    try (EtcdServer server = EtcdServer.launch()) {
      countOn("etcd://" + server.address());
    }
  }

  @Test
  @ResourceLock(SECOND)
  void noUpdateIsLostOnZookeeperWhileHoldersAreKilled() throws Exception {
    try (ZooServer server = ZooServer.launch()) {
      countOn(server.uri() + "?tickTime=" + ZooServer.TICK.toMillis());
    }
  }

  /** One of the processes that have the file open serves the others, until it is killed. */
  @Test
  @ResourceLock(FIRST)
  void noUpdateIsLostOnH2WhileHoldersAreKilled() throws Exception {
    countOn("jdbc:h2:async:" + directory.resolve("locks") + ";AUTO_SERVER=TRUE");
  }

  /** On an imitation of a server, for want of a real one. */
  @Test
  @ResourceLock(THIRD)
  void noUpdateIsLostOnMongoDbWhileHoldersAreKilled() throws Exception {
    try (MongoImitation server = MongoImitation.launch()) {
      countOn(server.uri());
    }
  }
}
