package io.holdfast.tck.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class PostgresServerTest {

  private static String sql(PostgresServer server, String... statements) {
    List<String> command =
        Stream.concat(
                Stream.of(
                    PostgresServer.program("psql").toString(),
                    "-XqAt",
                    server.uri().substring("jdbc:".length())),
                Arrays.stream(statements).flatMap(s -> Stream.of("-c", s)))
            .collect(Collectors.toList());
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void dataOutlivesARestartAndAKillButNotAnEmptyStart() {
    try (PostgresServer server = PostgresServer.launch("max_connections=7")) {
      sql(server, "CREATE TABLE t (x int)", "INSERT INTO t VALUES (42)");
      assertThat(sql(server, "SHOW max_connections")).isEqualTo("7");

      server.restart();
      assertThat(sql(server, "SELECT x FROM t")).isEqualTo("42");

      server.kill();
      assertThat(sql(server, "SELECT x FROM t")).contains("refused");
      server.start();
      assertThat(sql(server, "SELECT x FROM t")).isEqualTo("42");

      server.restartEmpty();
      assertThat(sql(server, "SELECT x FROM t")).contains("does not exist");
    }
  }

  @Test
  void aRestoredServerLacksTheLastWritesAndIsOnANewTimeline() {
    String timeline = "SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";
    try (PostgresServer server = PostgresServer.launch()) {
      sql(server, "CREATE TABLE t (x int)", "INSERT INTO t VALUES (1)");
      assertThat(sql(server, timeline)).isEqualTo("00000001");

      server.restoreWithout(() -> sql(server, "INSERT INTO t VALUES (2)"));

      assertThat(sql(server, "SELECT x FROM t")).isEqualTo("1");
      assertThat(sql(server, timeline)).isEqualTo("00000002");
    }
  }

  @Test
  void twoServersDoNotMeet() {
    try (PostgresServer one = PostgresServer.launch();
        PostgresServer other = PostgresServer.launch()) {
      sql(one, "CREATE TABLE t (x int)");

      assertThat(one.port()).isNotEqualTo(other.port());
      assertThat(sql(other, "SELECT * FROM t")).contains("does not exist");
    }
  }
}
