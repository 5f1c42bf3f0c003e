package io.holdfast.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.testing.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class PostgresServerTest {

  @Test
  void dataOutlivesARestartAndAKillButNotAnEmptyStart() {
    try (PostgresServer server = PostgresServer.launch("max_connections=7")) {
      server.sql("CREATE TABLE t (x int)");
      server.sql("INSERT INTO t VALUES (42)");
      assertThat(server.sql("SHOW max_connections")).isEqualTo("7");

      server.restart();
      assertThat(server.sql("SELECT x FROM t")).isEqualTo("42");

      server.kill();
      assertThatThrownBy(() -> server.sql("SELECT x FROM t")).hasMessageContaining("refused");
      server.start();
      assertThat(server.sql("SELECT x FROM t")).isEqualTo("42");

      server.restartEmpty();
      assertThatThrownBy(() -> server.sql("SELECT x FROM t"))
          .hasMessageContaining("does not exist");
    }
  }

  @Test
  void whatWasKilledLeavesNoSharedMemory() throws IOException {
    List<String> segments = new ArrayList<>();
    try (PostgresServer server = PostgresServer.launch()) {
      segments.add(server.segment().orElseThrow());
      assertThat(segmentsOfTheSystem()).containsAll(segments);
      server.restartEmpty();
      segments.add(server.segment().orElseThrow());
      server.kill();
    }

    assertThat(segmentsOfTheSystem()).doesNotContainAnyElementsOf(segments);
  }

  private static List<String> segmentsOfTheSystem() throws IOException {
    return Files.readAllLines(Path.of("/proc/sysvipc/shm")).stream()
        .map(line -> line.strip().split("\\s+", -1)[1])
        .toList();
  }

  @Test
  void aReplicaThatWasAbandonedLacksTheLastWritesAndIsPromotedToANewTimeline() {
    String timeline = "SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";
    try (PostgresServer primary = PostgresServer.launch();
        PostgresServer replica = primary.replicate(ServerProcess.freePort())) {
      primary.sql("CREATE TABLE t (x int)");
      primary.sql("INSERT INTO t VALUES (1)");

      primary.abandon(replica);
      primary.sql("INSERT INTO t VALUES (2)");
      primary.kill();
      replica.promote();

      assertThat(replica.sql("SELECT x FROM t")).isEqualTo("1");
      assertThat(replica.sql(timeline)).isEqualTo("00000002");
      replica.sql("INSERT INTO t VALUES (3)");
    }
  }

  @Test
  void aServerGoesByTheClockThatItWasGiven() {
    String wrongByAnHour =
        "SELECT abs(extract(epoch FROM clock_timestamp()) - %d - 3600) < 300"
            .formatted(Instant.now().getEpochSecond());
    try (ShiftedClock clock = ShiftedClock.make();
        PostgresServer server = PostgresServer.launch(clock)) {
      assertThat(server.sql(wrongByAnHour)).isEqualTo("f");

      clock.step(Duration.ofHours(1));

      assertThat(server.sql(wrongByAnHour)).isEqualTo("t");
    }
  }

  @Test
  void twoServersDoNotMeet() {
    try (PostgresServer one = PostgresServer.launch();
        PostgresServer other = PostgresServer.launch()) {
      one.sql("CREATE TABLE t (x int)");

      assertThat(one.port()).isNotEqualTo(other.port());
      assertThatThrownBy(() -> other.sql("SELECT * FROM t")).hasMessageContaining("does not exist");
    }
  }
}
