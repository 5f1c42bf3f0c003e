package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.mariadb.MariaServer;

/** A database of a test on a MariaDB server. */
public final class MariaSchema extends ServerSchema {

  private MariaSchema(String server, String name) {
    super(server.replace("/app?", "/" + name + "?"), name);
  }

  public static MariaSchema make(MariaServer server) {
    return make(server.uri());
  }

  public static MariaSchema make(String server) {
    MariaSchema schema = new MariaSchema(server, freshName());
    execute(server, "CREATE DATABASE " + schema.name());
    return schema;
  }

  @Override
  protected ConnectionSource source(String way) {
    return new MariaSource(way);
  }

  @Override
  protected LockBackend connect(
      String way, ConnectionSource source, ServerSettings settings, BackendOptions options) {
    return Backends.maria(way, source, settings, options, soon());
  }

  @Override
  public String drop() {
    return "DROP DATABASE " + name();
  }
}
