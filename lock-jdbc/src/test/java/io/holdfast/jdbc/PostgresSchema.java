package io.holdfast.jdbc;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.server.PostgresServer;

/** A schema of a test on a PostgreSQL server. */
final class PostgresSchema extends ServerSchema {

  private PostgresSchema(String server, String name) {
    super(server + "&currentSchema=" + name, name);
  }

  static PostgresSchema make(PostgresServer server) {
    return make(server.uri());
  }

  static PostgresSchema make(String server) {
    PostgresSchema schema = new PostgresSchema(server, freshName());
    schema.execute("CREATE SCHEMA " + schema.name());
    return schema;
  }

  @Override
  LockBackend connect(String way, ServerSettings settings, BackendOptions options) {
    return JdbcLockBackend.postgres(way, settings, options, soon());
  }

  @Override
  String drop() {
    return "DROP SCHEMA " + name() + " CASCADE";
  }
}
