package io.holdfast.jdbc.postgres;

import static io.holdfast.jdbc.fixtures.LockFile.observed;
import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Attempt;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user with the privileges that the documentation names, and none besides. */
class PostgresPrivilegesTest extends OnPostgres {

  @BeforeAll
  static void makeRole() {
    try (PostgresSchema any = PostgresSchema.make(server)) {
      any.execute("CREATE ROLE tenant LOGIN");
    }
  }

  private String tenant() {
    return schema.uri().replace("user=postgres", "user=tenant");
  }

  private void makeTablesAndGrant() {
    schema.execute(new JdbcLockProvider().ddl(tenant()).orElseThrow());
    schema.execute("GRANT USAGE ON SCHEMA %s TO tenant".formatted(schema.name()));
    schema.execute(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast_locks, holdfast_queue, holdfast_sessions TO tenant");
    schema.execute("GRANT SELECT, INSERT, UPDATE ON holdfast_namespace TO tenant");
  }

  private void useAllVerbs() {
    ServerSettings settings = ServerSettings.standard().idle(Duration.ZERO);
    try (LockBackend backend =
        Backends.postgres(tenant(), settings, BackendOptions.DEFAULTS, soon())) {
      SessionId mine = session(backend);
      SessionId other = session(backend);
      Request first = request(mine, "a", IfHeld.REFUSE);
      Request second = request(other, "a", IfHeld.QUEUE);
      Request third = request(mine, "a", IfHeld.REFUSE).with(LockMode.SHARED);
      Attempt.Granted granted = take(backend, first);
      backend.grab(second, soon());
      backend.renew(mine, soon());
      assertThat(((ResumableSessions) backend).resume(other, soon()).orElseThrow().requests())
          .containsExactly(second.key());
      backend.look(other, List.of(second.key()), soon());
      backend.revoke(observed(first, granted.number()), RevokeWhen.SAFELY, soon());
      backend.acknowledge(first.id(), soon());
      backend.release(first.name(), first.id(), soon());
      backend.downgrade(second.key(), soon());
      Attempt.Granted shared = take(backend, third);
      backend.revoke(observed(third, shared.number()), RevokeWhen.SAFELY, soon());
      backend.revokeIn(observed(third, shared.number()), Duration.ofHours(1), soon());
      backend.release(third.name(), third.id(), soon());
      Request fourth = request(mine, "b", IfHeld.REFUSE);
      take(backend, fourth);
      backend.releaseAfter(fourth.key(), Duration.ofHours(1), soon());
      backend.inspect(first.name(), soon());
      backend.list("", Optional.empty(), 9, soon());
      backend.end(mine, EndIf.CLOSED, soon());
      backend.end(other, EndIf.LAPSED, soon());
      backend.release(second.name(), second.id(), soon());
      assertThat(backend.sweep(soon())).isPositive();
    }
  }

  @Test
  void whatTheDocumentationGrantsIsEnough() {
    makeTablesAndGrant();

    useAllVerbs();
  }

  @ParameterizedTest
  @CsvSource({
    "SELECT, locks",
    "INSERT, locks",
    "UPDATE, locks",
    "DELETE, locks",
    "SELECT, queue",
    "INSERT, queue",
    "UPDATE, queue",
    "DELETE, queue",
    "SELECT, sessions",
    "INSERT, sessions",
    "UPDATE, sessions",
    "DELETE, sessions",
    "SELECT, namespace",
    "INSERT, namespace",
    "UPDATE, namespace"
  })
  void whicheverIsMissingIsTold(String privilege, String table) {
    makeTablesAndGrant();
    schema.execute("REVOKE %s ON holdfast_%s FROM tenant".formatted(privilege, table));

    assertThatThrownBy(this::useAllVerbs)
        // The second where the verb had changed something before.
        .isInstanceOfAny(BackendUnusableException.class, BackendFailure.class)
        .hasMessageContaining("lacks a privilege")
        .hasMessageContaining("holdfast_" + table);
  }

  @Test
  void whoMayNotCreateTheTablesIsToldHow() {
    schema.execute("GRANT USAGE ON SCHEMA %s TO tenant".formatted(schema.name()));

    assertThatThrownBy(this::useAllVerbs)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("Tables are missing")
        .hasMessageContaining("CREATE TABLE IF NOT EXISTS holdfast_sessions");
  }

  @Test
  void tablesMayBeInASchemaOfTheirOwn() {
    String uri = server.uri() + "&tablePrefix=" + schema.name() + ".shop_";
    try (LockBackend backend =
        new JdbcLockProvider().connect(uri, BackendOptions.DEFAULTS, soon())) {
      take(backend, request(session(backend), "a", IfHeld.REFUSE));
    }
    assertThat(schema.text("SELECT count(*) FROM shop_locks")).isEqualTo("1");
    assertThat(new JdbcLockProvider().ddl(uri).orElseThrow())
        .contains(schema.name() + ".shop_namespace (");
  }
}
