package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.KeptSessions;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.mariadb.MariaServer;
import java.util.Optional;

/** A database of a test on a MariaDB server. */
public final class MariaSchema extends ServerSchema {

  private MariaSchema(String server, String name, Optional<KeptSessions> kept) {
    super(server.replace("/app?", "/" + name + "?"), name, kept);
  }

  public static MariaSchema make(MariaServer server) {
    return make(server.uri());
  }

  public static MariaSchema make(String server) {
    return make(server, Optional.empty());
  }

  /**
   * Makes one on a server of whose sessions some are kept.
   *
   * @param kept made with {@link MariaSession}
   */
  public static MariaSchema make(String server, KeptSessions kept) {
    return make(server + "&" + MariaSession.OPTION, Optional.of(kept));
  }

  private static MariaSchema make(String server, Optional<KeptSessions> kept) {
    MariaSchema schema = new MariaSchema(server, freshName(), kept);
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
