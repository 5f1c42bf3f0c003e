package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.postgres.PostgresServer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A schema of a test on a PostgreSQL server. */
public final class PostgresSchema extends ServerSchema {

  private final Optional<KeptSessions> kept;

  private PostgresSchema(String server, String name, Optional<KeptSessions> kept) {
    super(server + "&currentSchema=" + name, name);
    this.kept = kept;
  }

  public static PostgresSchema make(PostgresServer server) {
    return make(server.uri());
  }

  public static PostgresSchema make(String server) {
    return make(server, Optional.empty());
  }

  /** Makes one whose backends share sessions, but for those that go by another URI. */
  public static PostgresSchema make(String server, KeptSessions kept) {
    return make(server, Optional.of(kept));
  }

  private static PostgresSchema make(String server, Optional<KeptSessions> kept) {
    PostgresSchema schema = new PostgresSchema(server, freshName(), kept);
    schema.execute("CREATE SCHEMA " + schema.name());
    return schema;
  }

  @Override
  protected ConnectionSource source(String way) {
    ConnectionSource real = new PostgresSource(way);
    return way.equals(uri())
        ? kept.map(sessions -> sessions.source(real, name())).orElse(real)
        : real;
  }

  @Override
  protected LockBackend connect(
      String way, ConnectionSource source, ServerSettings settings, BackendOptions options) {
    return Backends.postgres(way, source, settings, options, soon());
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
