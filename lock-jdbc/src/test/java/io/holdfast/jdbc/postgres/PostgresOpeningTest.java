package io.holdfast.jdbc.postgres;

import static io.holdfast.jdbc.fixtures.LockFile.PROCESS;
import static io.holdfast.jdbc.fixtures.LockFile.TTL;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.verbs.Sessions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Renewed;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that several clients open at once when a new incarnation of the data is first seen. */
class PostgresOpeningTest extends OnPostgres {

  /** Does something before the incarnation is recorded. */
  private static LockDatabase before(LockDatabase real, Runnable recording) {
    return (LockDatabase)
        Proxy.newProxyInstance(
            LockDatabase.class.getClassLoader(),
            new Class<?>[] {LockDatabase.class},
            (proxy, method, given) -> {
              if (method.getName().equals("recordIncarnation")) {
                recording.run();
              }
              try {
                return method.invoke(real, given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aSessionIsOpenedThoughAnotherClientRecordsTheNewIncarnationMeanwhile() throws Exception {
    // given
    try (LockBackend first = schema.backend()) {
      session(first);
    }
    AtomicInteger recordings = new AtomicInteger();
    SessionId mine = SessionId.fresh();
    LockDatabase database =
        before(
            new PostgresDatabase(
                "it",
                ServerSettings.standard(),
                new PostgresSource(schema.uri()),
                DeadlineTimer.NONE),
            () -> {
              recordings.incrementAndGet();
              schema.backend();
            });
    DatabaseConnection connection = database.open(soon());
    schema.execute("UPDATE holdfast_namespace SET life = 'former'");
    schema.execute("UPDATE holdfast_sessions SET opened_in = 'former'");

    // when
    new Sessions(database, NamespaceWish.NONE)
        .open(connection, new SessionSpec(mine, TTL, 0, PROCESS));

    // then
    connection.giveBack();
    assertThat(recordings).hasValue(1);
    assertThat(schema.backend().renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
  }

  /** After a crash they would be empty, and a lock be given to others beside its holder. */
  @ParameterizedTest
  @ValueSource(strings = {"sessions", "locks", "queue", "namespace"})
  void tablesThatTheServerDoesNotKeepAreRefused(String table) {
    schema.backend();
    schema.execute("ALTER TABLE holdfast_%s SET UNLOGGED".formatted(table));

    assertThatThrownBy(schema::backend)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("holdfast_" + table)
        .hasMessageContaining("SET LOGGED");
  }

  @Test
  void anIdIsUsedOnce() {
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);

    assertThatThrownBy(() -> backend.open(new SessionSpec(mine, TTL, 0, PROCESS), soon()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("was opened before");
  }

  /** How a fraction is spelled depends on the server's version and the connection's settings. */
  @Test
  void anIncarnationIsSpelledAsAWholeNumber() {
    session(schema.backend());

    assertThat(schema.text("SELECT incarnation FROM holdfast_sessions")).matches("\\d+");
  }
}
