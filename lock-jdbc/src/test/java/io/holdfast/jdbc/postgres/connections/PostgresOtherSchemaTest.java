package io.holdfast.jdbc.postgres.connections;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.LedSource;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.postgres.PostgresSchema;
import io.holdfast.jdbc.rules.OtherSchemaRules;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import org.junit.jupiter.api.Test;

class PostgresOtherSchemaTest extends OnPostgres implements OtherSchemaRules {

  @Override
  public ServerSchema another() {
    return PostgresSchema.make(server);
  }

  @Override
  public String leading(String schema) {
    return "SET search_path TO " + schema;
  }

  /** As where each tenant has a schema, and what they share comes after it. */
  @Test
  void tablesThatAreFoundBehindAnotherSchemaAreTheSame() {
    LedSource source = new LedSource(schema.uri(), leading(schema.name()));
    try (ServerSchema other = another();
        LockBackend backend =
            Backends.over(
                source, ServerSettings.standard(), BackendOptions.DEFAULTS, ServerSchema.soon())) {
      SessionId mine = session(backend);

      source.lead(leading(other.name() + ", " + schema.name()));

      take(backend, request(mine, "a", IfHeld.REFUSE));
      assertThat(schema.text("SELECT count(*) FROM holdfast_locks")).isEqualTo("1");
    }
  }
}
