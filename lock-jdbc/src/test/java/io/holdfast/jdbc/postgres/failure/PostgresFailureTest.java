package io.holdfast.jdbc.postgres.failure;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.connect;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.DatabaseName;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.rules.ServerFailureRules;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import org.junit.jupiter.api.Test;

class PostgresFailureTest extends OnPostgres implements ServerFailureRules {

  @Test
  void aUriThatNamesNoDatabaseIsRefused() {
    assertThatThrownBy(() -> connect("jdbc:postgresql://host:port/x"))
        .isInstanceOf(BadRequestException.class);
  }

  @Test
  void aPasswordIsNotTold() {
    String uri = "jdbc:postgresql://joe:secret@db.example/app?user=joe&password=secret";

    assertThat(DatabaseName.ofUrl(uri)).isEqualTo("postgresql://db.example/app");
  }

  @Test
  void aUserWithoutRightsIsToldWhichAreMissing() {
    String transaction = schema.uri().replace("user=postgres", "user=stranger");
    schema.execute("CREATE ROLE stranger LOGIN");

    assertThatThrownBy(() -> connect(transaction))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("grant USAGE");

    schema.execute("GRANT USAGE ON SCHEMA %s TO stranger".formatted(schema.name()));
    assertThatThrownBy(() -> connect(transaction))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("CREATE TABLE IF NOT EXISTS holdfast_locks");
  }

  private String uriOf(String user) {
    schema.execute("CREATE ROLE %s LOGIN".formatted(user));
    schema.execute("GRANT USAGE ON SCHEMA %s TO %s".formatted(schema.name(), user));
    return schema.uri().replace("user=postgres", "user=" + user);
  }

  @Test
  void aUserWhoMayOnlyReadIsToldWhatIsMissing() {
    session(schema.backend());
    String reader = uriOf("reader");
    schema.execute(
        "GRANT SELECT ON holdfast_locks, holdfast_sessions, holdfast_namespace TO reader");

    try (LockBackend backend = connect(reader)) {
      assertThatThrownBy(() -> session(backend))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("Grant SELECT, INSERT, UPDATE and DELETE");
    }
  }

  @Test
  void theDocumentedPrivilegesAreEnough() {
    schema.backend();
    String app = uriOf("app");
    schema.execute(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %s TO app"
            .formatted(schema.name()));

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
    String few = uriOf("few");
    schema.execute(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %s TO few"
            .formatted(schema.name()));
    schema.execute("ALTER ROLE few CONNECTION LIMIT 1");

    try (LockBackend backend = connect(few)) {
      SessionId mine = session(backend);
      BackendFailure failure =
          catchThrowableOfType(BackendFailure.class, () -> backend.renew(mine, soon()));
      assertThat(failure.effect()).isEqualTo(Effect.NONE);
      assertThat(failure).hasMessageContaining("no connection left");

      schema.execute("ALTER ROLE few CONNECTION LIMIT 2");
      ServerFailureRules.awaitRenewed(backend, mine);
    }
  }

  @Test
  void whatIsKilledAtTheServerIsReplaced() {
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);
    schema.text(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'holdfast'");

    assertThatThrownBy(() -> backend.end(mine, EndIf.LAPSED, soon()))
        .isInstanceOf(BackendFailure.class);
    take(backend, request(mine, "a", IfHeld.REFUSE));
  }
}
