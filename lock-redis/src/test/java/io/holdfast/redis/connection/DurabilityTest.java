package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that do not tell whether they write to their disks before they answer. */
class DurabilityTest {

  private static ServerConnection connect(String refusal) {
    try (FakeServer server =
        FakeServer.answering(
                "*5", "$5", "7.0.0", "$6", "master", "$10", "noeviction", "$1", "0", "$1", "1")
            .refusing("CONFIG", refusal)) {
      return new Connector(RedisUri.of(server.uri()), Script.ATTACH, RestartGuard.ON)
          .open(0, 0, Deadline.in(Duration.ofSeconds(60)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOPERM this user has no permissions to run the 'config|get' command",
        "ERR unknown command 'CONFIG', with args beginning with: 'GET'",
        "ERR command is not allowed",
        "ERR CONFIG is disabled: use the console of the service",
      })
  void aServerThatDoesNotTellIsUsed(String refusal) {
    try (ServerConnection connection = connect(refusal)) {
      assertThat(connection.hasSent()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOADING Redis is loading the dataset in memory",
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
      })
  void aServerThatWillTellSoonIsTriedAgain(String refusal) {
    assertThatThrownBy(() -> connect(refusal))
        .isInstanceOf(BackendFailure.class)
        .hasMessageContaining("refuses for now");
  }
}
