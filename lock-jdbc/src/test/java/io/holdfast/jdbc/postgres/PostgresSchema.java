package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.postgres.PostgresServer;
import java.util.List;
import java.util.stream.Stream;

/** A schema of a test on a PostgreSQL server. */
public final class PostgresSchema extends ServerSchema {

  private PostgresSchema(String server, String name) {
    super(server + "&currentSchema=" + name, name);
  }

  public static PostgresSchema make(PostgresServer server) {
    return make(server.uri());
  }

  public static PostgresSchema make(String server) {
    PostgresSchema schema = new PostgresSchema(server, freshName());
    schema.execute("CREATE SCHEMA " + schema.name());
    return schema;
  }

  @Override
  public LockBackend connect(String way, ServerSettings settings, BackendOptions options) {
    return Backends.postgres(way, settings, options, soon());
  }

  @Override
  public List<String> tables() {
    return Stream.concat(Stream.of("holdfast_queue"), super.tables().stream()).toList();
  }

  @Override
  public String drop() {
    return "DROP SCHEMA " + name() + " CASCADE";
  }
}
