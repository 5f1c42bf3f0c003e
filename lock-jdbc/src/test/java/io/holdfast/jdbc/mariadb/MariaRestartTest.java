package io.holdfast.jdbc.mariadb;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.jdbc.rules.OtherIncarnationRules;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.adapter.ServerRestartRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.mariadb.MariaServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Adapter("mariadb")
class MariaRestartTest extends OnMaria implements ServerRestartRules, OtherIncarnationRules {

  private static Attempt grabAfterRestartOf(String... settings) {
    try (MariaServer own = MariaServer.launch(settings)) {
      SessionId before;
      try (LockBackend backend = connect(own)) {
        before = session(backend);
        take(backend, request(before, "a", IfHeld.REFUSE));
      }
      own.restart();
      try (LockBackend backend = connect(own)) {
        Attempt attempt = backend.grab(request(session(backend), "b", IfHeld.QUEUE), soon());
        // Who may lack grants goes on with nobody, and who lacks none with everybody.
        assertThat(backend.renew(before, soon()) instanceof Renewed.Over)
            .isEqualTo(attempt instanceof Attempt.Delayed);
        return attempt;
      }
    }
  }

  private static LockBackend connect(MariaServer own) {
    return new JdbcLockProvider().connect(own.uri(), BackendOptions.DEFAULTS, soon());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--innodb-flush-log-at-trx-commit=2", "--log-bin"})
  void aRestartThatMayHaveLostGrantsBeginsTheRestartGuard(String setting) {
    assertThat(grabAfterRestartOf(setting)).isInstanceOf(Attempt.Delayed.class);
  }

  @Test
  void aRestartOfAServerWhoseLogsAreOnDiskLosesNothing() {
    assertThat(grabAfterRestartOf("--log-bin", "--sync-binlog=1"))
        .isInstanceOf(Attempt.Granted.class);
  }

  /** As administrators set it to save people from mistakes. */
  @Test
  void aServerThatWantsKeysInEachChangeIsNoObstacle() {
    try (MariaServer own = MariaServer.launch("--log-bin")) {
      String safe = "SET GLOBAL sql_safe_updates = 1";
      MariaSchema.execute(own.uri(), safe);
      try (LockBackend backend = connect(own)) {
        take(backend, request(session(backend), "a", IfHeld.REFUSE));
        assertThat(backend.sweep(soon())).isZero();
      }
      own.restart();
      MariaSchema.execute(own.uri(), safe);
      try (LockBackend backend = connect(own)) {
        assertThat(backend.grab(request(session(backend), "b", IfHeld.QUEUE), soon()))
            .isInstanceOf(Attempt.Delayed.class);
        assertThat(backend.sweep(soon())).isNotNegative();
      }
    }
  }

  /** Both count up to the begin of the statement, so that it is no matter when one asks. */
  @Test
  void whenAServerWasStartedIsToldTheSameWheneverItIsAsked() throws Exception {
    try (Connection connection = DriverManager.getConnection(server.uri())) {
      long started = MariaState.read(connection, "it").started();
      long end = System.nanoTime() + Duration.ofMillis(2500).toNanos();
      while (System.nanoTime() < end) {
        assertThat(MariaState.read(connection, "it").started()).isEqualTo(started);
      }
    }
  }
}
