package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.connect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.LostWrites;
import io.holdfast.jdbc.fixtures.OtherTransaction;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2FailureTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private H2TestDatabase place;

  @BeforeEach
  void open() {
    place = H2TestDatabase.in(directory);
  }

  @AfterEach
  void close() {
    place.close();
  }

  private static void assertUnusable(String uri, String message) {
    assertThatThrownBy(() -> connect(uri))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining(message);
  }

  private void addUser() {
    place.execute("CREATE USER app PASSWORD 'secret'");
  }

  private String asUser() {
    return place.uri() + ";USER=app;PASSWORD=secret";
  }

  @Test
  void aUriThatNamesNoDatabaseThatCanBeSharedIsRefused() {
    for (String uri : new String[] {"jdbc:h2:", "jdbc:h2:;USER=sa", "jdbc:h2:mem:"}) {
      assertThatThrownBy(() -> connect(uri)).as(uri).isInstanceOf(BadRequestException.class);
    }
    assertThatThrownBy(() -> connect(place.uri() + ";write_delay=500"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("would write later than it answers");
    assertUnusable("jdbc:h2:somewhere/locks", "relative to the current working directory");
    assertUnusable(place.uri() + ";NO_SUCH_SETTING=1", "does not take the URI");
  }

  @Test
  void aPasswordIsNotTold() {
    H2Uri uri = new H2Uri("jdbc:h2:tcp://db.example/app;USER=joe;PASSWORD=secret");

    H2Database database = new H2Database(uri, ServerSettings.standard());

    assertThat(database.describe()).isEqualTo("h2:tcp://db.example/app");
  }

  @Test
  void clientsOfOneJvmShareADatabaseInItsMemory() {
    try (LockBackend one = connect("jdbc:h2:mem:shared");
        LockBackend other = connect("jdbc:h2:mem:shared")) {
      take(one, request(session(one), "a", IfHeld.REFUSE));

      assertThat(other.grab(request(session(other), "a", IfHeld.REFUSE), soon()))
          .isInstanceOf(Attempt.Refused.class);
    }
  }

  @Test
  void aServerThatIsDownMayComeBack() {
    String uri = "jdbc:h2:tcp://127.0.0.1:%d/./locks".formatted(ServerProcess.freePort());

    BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> connect(uri));

    assertThat(failure.effect()).isEqualTo(Effect.NONE);
    assertThat(failure).hasMessageContaining("cannot be reached");
  }

  @Test
  void aFileThatAnotherProcessKeepsToItselfIsSaidToBeInUse() throws Exception {
    String alone = "jdbc:h2:%s".formatted(directory.resolve("alone"));
    try (H2Owner owner = H2Owner.start(alone)) {
      owner.awaitNumber();

      assertUnusable(alone, "AUTO_SERVER=TRUE");
    }
  }

  /** They were there when the client connected, and its connections do not look each time. */
  @Test
  void tablesRemovedWhileInUseAreMissedAndMadeAgain() {
    // given
    LockBackend backend = place.backend();
    session(backend);

    // when
    LostWrites.NAMES.forEach(table -> place.execute("DROP TABLE " + table));

    // then
    assertThatThrownBy(() -> session(backend))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("removed while in use");
    await()
        .atMost(WAIT_MAX)
        .ignoreExceptionsInstanceOf(BackendUnusableException.class)
        .until(() -> take(backend, request(session(backend), "a", IfHeld.REFUSE)).number() > 0);
  }

  @Test
  void whoIsNotLetInIsToldSo() {
    place.backend();
    addUser();

    assertUnusable(place.uri() + ";USER=app;PASSWORD=wrong", "refused the login");
  }

  @Test
  void aUserWithoutRightsIsToldWhatIsMissing() throws SQLException {
    addUser();
    assertUnusable(asUser(), "SET WRITE_DELAY 0");

    try (Connection admin = DriverManager.getConnection(place.uri(), "sa", "");
        Statement statement = admin.createStatement()) {
      statement.execute("SET WRITE_DELAY 0");
      assertUnusable(asUser(), "lacks a right");
    }

    place.backend();
    assertUnusable(asUser(), "Grant SELECT, INSERT, UPDATE and DELETE");
  }

  @Test
  void whoIsInTheWayOfAnothersChangeOfTablesWaitsForIt() throws Exception {
    try (Connection other = DriverManager.getConnection(place.uri(), "sa", "");
        Statement change = other.createStatement()) {
      // given
      other.setAutoCommit(false);
      change.execute("CREATE GLOBAL TEMPORARY TABLE anothers (id INT) TRANSACTIONAL");

      // when
      CompletableFuture<LockBackend> connecting =
          CompletableFuture.supplyAsync(() -> connect(place.uri()));
      await("connecting to go on for longer than H2 waits for a lock")
          .during(Duration.ofSeconds(4))
          .atMost(WAIT_MAX)
          .until(() -> !connecting.isDone());
      other.commit();

      // then
      connecting.join().close();
    }
  }

  @Test
  void aUserNeedsNoOtherRightsThanThose() {
    place.backend();
    addUser();
    place.execute(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast_locks, holdfast_sessions, holdfast_namespace TO app");

    try (LockBackend backend = connect(asUser())) {
      Request request = request(session(backend), "a", IfHeld.REFUSE);
      take(backend, request);
      backend.release(request.name(), request.id(), soon());
      backend.sweep(soon());
    }
  }

  @Test
  void aDatabaseThatCannotBeWrittenIsRefused() {
    place.backend().close();

    assertUnusable(place.uri().replace("AUTO_SERVER=TRUE", "ACCESS_MODE_DATA=r"), "read-only");
  }

  @Test
  void aFileThatIsNotOneOfH2IsRefused() throws IOException {
    Files.writeString(directory.resolve("other.mv.db"), "not a database ".repeat(1_000));

    assertUnusable("jdbc:h2:" + directory.resolve("other"), "damaged");
  }

  @Test
  void tablesOfAnotherVersionAreRefused() {
    session(place.backend());
    place.execute("UPDATE holdfast_namespace SET protocol = 99");

    assertUnusable(place.uri(), "protocol version 99");
  }

  /** A client that has read the version and was paused may go on when it is another one. */
  @Test
  void aSessionIsOpenedUnderItsOwnVersionAlone() {
    session(place.backend());
    ServerSettings paused =
        ServerSettings.standard()
            .onStatement(
                statement -> {
                  if (statement.contains("sessions} (id, ttl")) {
                    place.execute("UPDATE holdfast_namespace SET protocol = 99");
                  }
                });
    LockBackend backend = place.backend(paused, BackendOptions.DEFAULTS);

    assertThatThrownBy(() -> session(backend))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("version 99");
  }

  @Test
  void tablesThatAreNotOursAreRefused() {
    place.execute("CREATE TABLE holdfast_locks (name VARCHAR)");

    assertUnusable(place.uri(), "holdfast_locks");
  }

  @Test
  void aModeInWhichEmptyTextsAreNullIsRefused() {
    assertUnusable(place.uri() + ";MODE=Oracle", "Oracle");
  }

  /** Their sessions would be judged by two incarnations, and the dead among them never end. */
  @Test
  void whoReachesTheDatabaseInAnotherWayThanTheOthersIsRefused() {
    session(place.backend());
    place.execute("UPDATE holdfast_namespace SET life = 'SERVER'");

    assertUnusable(place.uri(), "as a SERVER, not as a FILE");
  }

  @Test
  void aLockThatSomebodyElseKeepsLockedDelaysNoOther() throws SQLException {
    // given
    LockBackend backend = place.backend();
    SessionId mine = session(backend);
    Request held = request(mine, "a", IfHeld.REFUSE);
    take(backend, held);
    try (Connection transaction = DriverManager.getConnection(place.uri(), "sa", "");
        Statement statement = transaction.createStatement()) {
      transaction.setAutoCommit(false);
      statement.executeUpdate("UPDATE holdfast_locks SET since = since");

      // when
      BackendFailure failure =
          catchThrowableOfType(
              BackendFailure.class, () -> backend.grab(request(mine, "a", IfHeld.QUEUE), soon()));

      // then
      assertThat(failure.effect()).isEqualTo(Effect.NONE);
      take(backend, request(mine, "b", IfHeld.REFUSE));
      backend.renew(mine, soon());
    }
    assertThat(backend.inspect(held.name(), soon()).orElseThrow().waiters()).isEmpty();
  }

  /** It was found by what it was when the sweep began. */
  @Test
  void aSweepLeavesASessionThatIsRenewedMeanwhile() throws SQLException {
    try (H2TestDatabase patient = H2TestDatabase.patient(directory);
        OtherTransaction transaction = OtherTransaction.at(place.uri() + ";USER=sa")) {
      // given
      LockBackend backend =
          patient.backend(ServerSettings.standard().idle(Duration.ZERO), BackendOptions.DEFAULTS);
      SessionId session = session(backend, Duration.ofSeconds(60));
      place.execute("UPDATE holdfast_sessions SET renewed = renewed - 3600000000");
      transaction.change("UPDATE holdfast_sessions SET renewed = renewed + 3600000000");

      // when
      CompletableFuture<Integer> sweep = CompletableFuture.supplyAsync(() -> backend.sweep(soon()));
      await()
          .atMost(WAIT_MAX)
          .until(
              () ->
                  place
                      .text(
                          "SELECT count(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL")
                      .equals("1"));
      transaction.commit();

      // then
      assertThat(sweep.join()).isZero();
      assertThat(backend.renew(session, soon())).isInstanceOf(Renewed.Alive.class);
    }
  }
}
