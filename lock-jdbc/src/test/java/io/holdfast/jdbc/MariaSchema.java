package io.holdfast.jdbc;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.server.MariaServer;

/** A database of a test on a MariaDB server. */
final class MariaSchema extends ServerSchema {

  private MariaSchema(String server, String name) {
    super(server.replace("/app?", "/" + name + "?"), name);
  }

  static MariaSchema make(MariaServer server) {
    return make(server.uri());
  }

  static MariaSchema make(String server) {
    MariaSchema schema = new MariaSchema(server, freshName());
    execute(server, "CREATE DATABASE " + schema.name());
    return schema;
  }

  @Override
  LockBackend connect(String way, ServerSettings settings, BackendOptions options) {
    return JdbcLockBackend.maria(way, settings, options, soon());
  }

  @Override
  String drop() {
    return "DROP DATABASE " + name();
  }
}
