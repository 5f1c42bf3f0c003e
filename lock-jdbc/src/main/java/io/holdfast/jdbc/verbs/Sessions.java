package io.holdfast.jdbc.verbs;

import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.NoticeText;
import io.holdfast.jdbc.database.SessionChanges;
import io.holdfast.jdbc.database.SessionChanges.Alive;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.record.RequestId;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.support.Micros;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The verbs on sessions. A session is a row; one that is over has none. */
public final class Sessions {

  /**
   * How often an opening is tried in a database whose data incarnation changes at the same time.
   */
  private static final int OPENINGS_MAX = 3;

  private final LockDatabase database;
  private final Dialect dialect;
  private final SessionChanges changes;
  private final NamespaceWish wish;

  /** The sessions that this client has opened or resumed, and still renews. */
  private final Map<SessionId, Home> homes = new ConcurrentHashMap<>();

  /** Where a session was opened or first renewed, and its TTL in microseconds. */
  private record Home(Object origin, long ttl) {}

  public Sessions(LockDatabase database, NamespaceWish wish) {
    this.database = database;
    this.dialect = database.dialect();
    this.changes = dialect.changes();
    this.wish = wish;
  }

  public Opened open(DatabaseConnection connection, SessionSpec spec) throws SQLException {
    NamespaceSettings settings = settle(connection);
    settings.requireTtl(spec.ttl());
    long ttl = StoreTime.micros(spec.ttl());
    Map<String, Object> parameters =
        Map.of(
            "session", spec.id().value(),
            "ttl", ttl,
            "process", spec.process().value());
    Instant opened = open(connection, spec.id(), parameters);
    homes.put(spec.id(), new Home(connection.origin(), ttl));
    return new Opened(spec.ttl(), settings, Optional.of(opened));
  }

  /**
   * Of two refusals in a row at least the second is one of the id, if the layout is still the one
   * that was read: the data incarnation on record was the present one before it. Before the first,
   * another client may have recorded that meanwhile.
   */
  private Instant open(DatabaseConnection connection, SessionId id, Map<String, ?> parameters)
      throws SQLException {
    int refusals = 0;
    for (int attempt = 1; attempt <= OPENINGS_MAX; attempt++) {
      Optional<Instant> opened = changes.openSession(connection, parameters);
      if (opened.isPresent()) {
        return opened.get();
      }
      refusals = database.recordIncarnation(connection) ? 0 : refusals + 1;
      if (refusals > 1) {
        settle(connection);
        throw new BadRequestException(
            "Session %s was opened before; an id is used once.".formatted(id));
      }
    }
    throw new SQLException("The incarnation of the database's data changes again and again.");
  }

  /** Returns the settings, of which each that this client was given must be as given. */
  public NamespaceSettings settle(DatabaseConnection connection) throws SQLException {
    NamespaceSettings settings = namespace(connection);
    settings.requireReadable(database.describe(), dialect.protocol());
    wish.requireMetBy(settings, database.describe());
    return settings;
  }

  private NamespaceSettings namespace(DatabaseConnection connection) throws SQLException {
    Optional<NamespaceSettings> found = readNamespace(connection);
    if (found.isPresent()) {
      return found.get();
    }
    writeNamespace(connection, wish.orDefaults());
    // Not the wished settings: another client may have been first.
    return readNamespace(connection)
        .orElseThrow(
            () -> new SQLException("The settings just written to the namespace are gone."));
  }

  private void writeNamespace(DatabaseConnection connection, NamespaceSettings wished)
      throws SQLException {
    Map<String, Object> parameters =
        Map.of(
            "protocol", dialect.protocol(),
            "partitions", wished.partitions(),
            "maxttl", Micros.exactly("maxTtl", wished.maxTtl()),
            "maxclockstep", Micros.exactly("maxClockStep", wished.maxClockStep()));
    try {
      connection.change(dialect.writeNamespace(), parameters);
    } catch (SQLException e) {
      if (!database.isDuplicateKey(e)) {
        throw e;
      }
    }
  }

  private Optional<NamespaceSettings> readNamespace(DatabaseConnection connection)
      throws SQLException {
    List<NamespaceSettings> rows =
        connection.read(
            dialect.namespace(),
            Map.of(),
            row ->
                new NamespaceSettings(
                    row.getInt("protocol"),
                    row.getInt("partitions"),
                    StoreTime.duration(row.getLong("max_ttl")),
                    StoreTime.duration(row.getLong("max_clock_step"))));
    return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(0));
  }

  /**
   * Returns whether a session opened here cannot be in the present database. Decided without
   * reading that database, which may be missing, or damaged by files of the former one.
   */
  public boolean isLost(SessionId session) {
    @Nullable Home home = homes.get(session);
    return home != null && database.isReplaced(home.origin());
  }

  public Renewed renew(DatabaseConnection connection, SessionId session) throws SQLException {
    @Nullable Home home = homes.get(session);
    Map<String, Object> parameters =
        Map.of("session", session.value(), "ttl", home == null ? 0L : home.ttl());
    Optional<Alive> row = changes.renew(connection, parameters);
    if (row.isEmpty()) {
      homes.remove(session);
      return new Renewed.Over();
    }
    Alive alive = row.get();
    if (home == null) {
      homes.put(session, new Home(connection.origin(), alive.ttl()));
    }
    return new Renewed.Alive(
        StoreTime.duration(alive.ttl()),
        NoticeText.parse(alive.notices(), alive.renewed(), alive.incarnation()),
        Optional.of(StoreTime.instant(alive.renewed())));
  }

  public Ended end(DatabaseConnection connection, SessionId session, EndIf when)
      throws SQLException {
    Map<String, String> parameters = Map.of("session", session.value());
    switch (when) {
      case CLOSED -> {
        homes.remove(session);
        connection.change(dialect.closeSession(), parameters);
        return Ended.OVER;
      }
      case LAPSED -> {
        if (connection.change(dialect.endLapsed(), parameters) > 0) {
          return Ended.OVER;
        }
        List<Boolean> doubtful =
            connection.read(dialect.doubtful(), parameters, row -> row.getBoolean("doubtful"));
        if (doubtful.contains(true)) {
          connection.change(dialect.restampSession(), parameters);
        }
        return doubtful.isEmpty() ? Ended.OVER : Ended.ALIVE;
      }
    }
    throw new IllegalArgumentException("Not a condition: " + when);
  }

  public void acknowledge(DatabaseConnection connection, RequestId request) throws SQLException {
    connection.change(
        dialect.acknowledge(),
        Map.of(
            "session", request.session().value(),
            "once", NoticeText.atOnce(request),
            "begin", NoticeText.begin(request)));
  }
}
