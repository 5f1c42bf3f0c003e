package io.holdfast.cli;

import io.holdfast.tck.server.DatabaseServer;
import io.holdfast.tck.server.MariaServer;
import io.holdfast.tck.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same job on database servers, from two working directories at once. */
@Tag("server")
class ServersIT {

  @TempDir private Path directory;

  private void countOn(DatabaseServer server) throws Exception {
    Counter counter = Counter.in(directory);
    Path one = Files.createDirectory(directory.resolve("one"));
    Path other = Files.createDirectory(directory.resolve("other"));
    try (server;
        Tool here = new Tool(Tool.built(), one);
        Tool there = new Tool(Tool.built(), other)) {
      counter.countWith(List.of(here, there), "--ttl", "5s", "--backend", server.uri());
    }
    counter.assertThatNoUpdateIsLost();
  }

  @Test
  void noUpdateIsLostOnPostgresWhileHoldersAreKilled() throws Exception {
    countOn(PostgresServer.launch());
  }

  @Test
  void noUpdateIsLostOnMariaDbWhileHoldersAreKilled() throws Exception {
    countOn(MariaServer.launch());
  }
}
