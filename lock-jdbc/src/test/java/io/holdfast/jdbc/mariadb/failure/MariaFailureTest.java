package io.holdfast.jdbc.mariadb.failure;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.connect;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.DatabaseName;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.fixtures.OtherTransaction;
import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.jdbc.rules.ServerFailureRules;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.testing.mariadb.MariaServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MariaFailureTest extends OnMaria implements ServerFailureRules {

  @AfterEach
  void dropUser() {
    schema.execute("DROP USER IF EXISTS app@'127.0.0.1'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:mariadb://host:3306/", "jdbc:mariadb://host", "jdbc:mysql:host/x"})
  void aUriThatNamesNoDatabaseIsRefused(String uri) {
    assertThatThrownBy(() -> connect(uri)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void aPasswordIsNotTold() {
    assertThat(DatabaseName.ofUrl("jdbc:mariadb://db:3307/app?user=joe&password=secret"))
        .isEqualTo("mariadb://db:3307/app");
    assertThat(DatabaseName.ofUrl("jdbc:mysql:loadbalance://joe:secret@one,two/app"))
        .isEqualTo("mysql:loadbalance://one,two/app");
    assertThat(DatabaseName.ofUrl("jdbc:mysql://(host=one,password=secret)/app"))
        .doesNotContain("secret");
  }

  @Test
  void whoeverIsNotLetInIsToldSo() {
    assertThatThrownBy(() -> connect(schema.uri() + "&password=wrong"))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("refused the login")
        .hasMessageNotContaining("wrong");
  }

  /**
   * Where MySQL's driver is not on the class path; MariaDB's does not take such a URI by itself.
   */
  @Test
  void aUriOfMySqlIsTakenByMariaDbsDriver() {
    LockBackend backend = connect(schema.uri().replace("jdbc:mariadb:", "jdbc:mysql:"));
    try (backend) {
      take(backend, request(session(backend), "a", IfHeld.REFUSE));
    }
  }

  private String uriOfUserWith(String... privileges) {
    schema.execute("CREATE USER app@'127.0.0.1'");
    for (String privilege : privileges) {
      schema.execute("GRANT %s TO app@'127.0.0.1'".formatted(privilege));
    }
    return schema.uri().replace("user=root", "user=app");
  }

  private String table(String name) {
    return schema.name() + ".holdfast_" + name;
  }

  @Test
  void aUserWithoutRightsIsToldWhichAreMissing() {
    String app = uriOfUserWith();
    assertThatThrownBy(() -> connect(app))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("privilege");

    schema.execute("GRANT SELECT ON %s.* TO app@'127.0.0.1'".formatted(schema.name()));
    assertThatThrownBy(() -> connect(app))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("CREATE TABLE IF NOT EXISTS holdfast_locks");
  }

  @Test
  void aUserWhoMayOnlyReadIsToldWhatIsMissing() {
    session(schema.backend());
    String app = uriOfUserWith("SELECT ON " + schema.name() + ".*");

    try (LockBackend backend = connect(app)) {
      assertThatThrownBy(() -> session(backend))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("Grant SELECT, INSERT, UPDATE and DELETE");
    }
  }

  @Test
  void theDocumentedPrivilegesAreEnough() {
    schema.backend();
    String app =
        uriOfUserWith(
            "SELECT, INSERT, UPDATE, DELETE ON " + table("locks"),
            "SELECT, INSERT, UPDATE, DELETE ON " + table("sessions"),
            "SELECT, INSERT, UPDATE ON " + table("namespace"));

    try (LockBackend backend = connect(app)) {
      SessionId mine = session(backend);
      Request request = request(mine, "a", IfHeld.REFUSE);
      take(backend, request);
      backend.renew(mine, soon());
      backend.release(request.name(), request.id(), soon());
      backend.sweep(soon());
      backend.end(mine, EndIf.CLOSED, soon());
    }
  }

  @Test
  void aServerThatHasNoConnectionLeftMayHaveOneLater() {
    schema.backend();
    String app = uriOfUserWith("ALL ON " + schema.name() + ".*");
    schema.execute("ALTER USER app@'127.0.0.1' WITH MAX_USER_CONNECTIONS 1");

    try (LockBackend backend = connect(app)) {
      SessionId mine = session(backend);
      BackendFailure failure =
          catchThrowableOfType(BackendFailure.class, () -> backend.renew(mine, soon()));
      assertThat(failure.effect()).isEqualTo(Effect.NONE);
      assertThat(failure).hasMessageContaining("no connection left");

      schema.execute("ALTER USER app@'127.0.0.1' WITH MAX_USER_CONNECTIONS 2");
      ServerFailureRules.awaitRenewed(backend, mine);
    }
  }

  @Test
  void tablesThatLoseLocksAreRefused() {
    schema.backend();
    schema.execute("ALTER TABLE holdfast_locks ENGINE = MyISAM");

    assertThatThrownBy(schema::backend)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("holdfast_locks")
        .hasMessageContaining("MyISAM");
  }

  @Test
  void tablesAreNotMadeWhereTheyWouldLoseLocks() {
    assertThatThrownBy(
            () -> connect(schema.uri() + "&sessionVariables=enforce_storage_engine=MyISAM"))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("InnoDB");
  }

  @Test
  void aServerThatIsReadOnlyIsRefused() {
    session(schema.backend());
    schema.execute("SET GLOBAL read_only = 1");
    try {
      assertThatThrownBy(schema::backend)
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("is read-only");
    } finally {
      schema.execute("SET GLOBAL read_only = 0");
    }
  }

  /** As when another server becomes the primary: none of its connections is of use any more. */
  @Test
  void aServerThatTakesNoMoreWritesIsLookedForAnew() {
    schema.backend();
    String app = uriOfUserWith("ALL ON " + schema.name() + ".*");
    try (LockBackend backend = connect(app)) {
      SessionId mine = session(backend);
      Request request = request(mine, "a", IfHeld.REFUSE);
      assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
      schema.execute("SET GLOBAL read_only = 1");
      try {
        assertThatThrownBy(() -> take(backend, request))
            .isInstanceOf(BackendFailure.class)
            .hasMessageContaining("takes no more writes");
        assertThatThrownBy(() -> backend.renew(mine, soon()))
            .as("over a new connection")
            .isInstanceOf(BackendUnusableException.class)
            .hasMessageContaining("is read-only");
      } finally {
        schema.execute("SET GLOBAL read_only = 0");
      }

      take(backend, request);
    }
  }

  @Test
  void aServerThatCannotTellHowLongAStatementHasWaitedIsRefused() {
    try (MariaServer frozen = MariaServer.launch("--sysdate-is-now")) {
      assertThatThrownBy(() -> connect(frozen.uri()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("sysdate_is_now");
    }
  }

  @Test
  void aServerThatLogsStatementsAsTextIsRefusedByTheFirstChange() {
    try (MariaServer logging = MariaServer.launch("--log-bin", "--binlog-format=STATEMENT");
        LockBackend backend = connect(logging.uri())) {
      assertThatThrownBy(() -> session(backend))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("binlog_format");
    }
  }

  @Test
  void whatIsKilledAtTheServerIsReplaced() {
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);
    String all =
        schema.text(
            "SELECT GROUP_CONCAT(id) FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()");
    for (String id : all.split(",", -1)) {
      schema.execute("KILL " + id);
    }

    assertThatThrownBy(() -> backend.end(mine, EndIf.LAPSED, soon()))
        .isInstanceOf(BackendFailure.class);
    take(backend, request(mine, "a", IfHeld.REFUSE));
  }

  /** A clock that is read when a statement begins would call an old grant a new one. */
  @Test
  void theTimeOfAGrantIsTakenAfterTheWaitForItsRow() throws Exception {
    // given
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);
    Request before = request(mine, "a", IfHeld.REFUSE);
    take(backend, before);
    backend.release(before.name(), before.id(), soon());
    Request request = request(mine, "a", IfHeld.REFUSE);
    Attempt.Granted granted;
    long unlocked;
    try (OtherTransaction transaction = OtherTransaction.at(schema.uri())) {
      transaction.change("UPDATE holdfast_locks SET since = since WHERE name = 'a'");

      // when
      CompletableFuture<Attempt.Granted> waits =
          CompletableFuture.supplyAsync(() -> take(backend, request));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  !schema
                      .text("SELECT 1 FROM information_schema.innodb_lock_waits LIMIT 1")
                      .isEmpty());
      unlocked =
          Long.parseLong(
              schema.text("SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS signed)"));
      transaction.rollBack();
      granted = waits.get();
    }

    // then
    assertThat(granted.number()).isGreaterThan(unlocked);
    assertThat(StoreTime.micros(Duration.between(Instant.EPOCH, granted.since())))
        .isEqualTo(granted.number());
  }

  /** The time of day of a session, the server or a driver must not become part of a lease. */
  @Test
  void noTimeZoneChangesAnything() {
    LockBackend one = schema.backend();
    LockBackend other = connect(schema.uri() + "&sessionVariables=time_zone='+11:00'");
    try (other) {
      SessionId mine = session(one);
      take(one, request(mine, "a", IfHeld.REFUSE));

      assertThat(other.end(mine, EndIf.LAPSED, soon())).isEqualTo(Ended.ALIVE);
      long number = take(other, request(mine, "b", IfHeld.REFUSE)).number();
      assertThat(take(one, request(mine, "c", IfHeld.REFUSE)).number()).isGreaterThan(number);
    }
  }

  /** Drivers count either; a session that is well must not be taken for one that is gone. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void rowsThatWereFoundAndRowsThatWereChangedMeanTheSame(String changed) {
    try (LockBackend backend = connect(schema.uri() + "&useAffectedRows=" + changed)) {
      SessionId mine = session(backend);
      Request request = request(mine, "a", IfHeld.REFUSE);
      long number = take(backend, request).number();

      assertThat(backend.end(mine, EndIf.LAPSED, soon())).isEqualTo(Ended.ALIVE);
      assertThat(take(backend, request).number()).isEqualTo(number);
      assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
      assertThat(backend.release(request.name(), request.id(), soon())).isEqualTo(Released.FREED);
    }
  }
}
