package io.holdfast.jdbc.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.testing.mariadb.MariaServer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class MariaServerTest {

  @Test
  void dataOutlivesARestartAndAKillButNotAnEmptyStart() {
    try (MariaServer server = MariaServer.launch("--max-connections=17")) {
      server.sql("CREATE TABLE t (x int); INSERT INTO t VALUES (42)");
      assertThat(server.sql("SELECT @@max_connections")).isEqualTo("17");

      server.restart();
      assertThat(server.sql("SELECT x FROM t")).isEqualTo("42");

      server.kill();
      assertThatThrownBy(() -> server.sql("SELECT x FROM t")).hasMessageContaining("t connect");
      server.start();
      assertThat(server.sql("SELECT x FROM t")).isEqualTo("42");

      server.restartEmpty();
      assertThatThrownBy(() -> server.sql("SELECT x FROM t")).hasMessageContaining("doesn't exist");
    }
  }

  @Test
  void aServerThatTakesThePlaceOfAnotherLacksItsLastWrites() {
    try (MariaServer primary = MariaServer.launch();
        MariaServer replica = copyOf(primary)) {
      primary.sql("INSERT INTO t VALUES (2)");
      primary.kill();

      replica.start();

      assertThat(replica.sql("SELECT x FROM t")).isEqualTo("1");
      assertThat(replica.sql("SELECT @@port")).isNotEqualTo(Integer.toString(primary.port()));
    }
  }

  private static MariaServer copyOf(MariaServer primary) {
    primary.sql("CREATE TABLE t (x int); INSERT INTO t VALUES (1)");
    return primary.copy(ServerProcess.freePort());
  }

  @Test
  void aServerGoesByTheClockThatItWasGiven() {
    String wrongByAnHour =
        "SELECT abs(unix_timestamp() - %d - 3600) < 300".formatted(Instant.now().getEpochSecond());
    try (ShiftedClock clock = ShiftedClock.make();
        MariaServer server = MariaServer.launch(clock)) {
      assertThat(server.sql(wrongByAnHour)).isEqualTo("0");

      clock.step(Duration.ofHours(1));

      assertThat(server.sql(wrongByAnHour)).isEqualTo("1");
    }
  }
}
