package io.holdfast.jdbc;

import io.holdfast.BadRequestException;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.jdbc.Answers.Alive;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.Micros;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Notice;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.SessionSpec;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The verbs on sessions. A session is a row; one that is over has none. */
final class Sessions {

  /** How often it is tried in a database that has begun another life meanwhile. */
  private static final int OPENINGS_MAX = 3;

  private final Database database;
  private final Dialect dialect;
  private final Answers answers;
  private final NamespaceWish wish;

  /** The sessions that this client has opened and still renews. */
  private final Map<SessionId, Home> homes = new ConcurrentHashMap<>();

  /** Where a session was opened, and its TTL in microseconds. */
  private record Home(Object origin, long ttl) {}

  Sessions(Database database, NamespaceWish wish) {
    this.database = database;
    this.dialect = database.dialect();
    this.answers = dialect.answers();
    this.wish = wish;
  }

  Opened open(Link link, SessionSpec spec) throws SQLException {
    NamespaceSettings settings = namespace(link);
    settings.requireReadable(database.describe());
    wish.requireMetBy(settings, database.describe());
    settings.requireTtl(spec.ttl());
    long ttl = StoreTime.micros(spec.ttl());
    Map<String, Object> parameters =
        Map.of(
            "session", spec.id().value(),
            "ttl", ttl,
            "process", spec.process().value());
    Instant opened = open(link, spec.id(), parameters);
    homes.put(spec.id(), new Home(link.origin(), ttl));
    return new Opened(spec.ttl(), settings, Optional.of(opened));
  }

  private Instant open(Link link, SessionId id, Map<String, ?> parameters) throws SQLException {
    for (int attempt = 1; attempt <= OPENINGS_MAX; attempt++) {
      Optional<Instant> opened = answers.openSession(link, parameters);
      if (opened.isPresent()) {
        return opened.get();
      }
      if (!database.enter(link)) {
        throw new BadRequestException(
            "Session %s was opened before; an id is used once.".formatted(id));
      }
    }
    throw new SQLException("The database goes from one life to another and back.");
  }

  private NamespaceSettings namespace(Link link) throws SQLException {
    Optional<NamespaceSettings> found = readNamespace(link);
    if (found.isPresent()) {
      return found.get();
    }
    writeNamespace(link, wish.orDefaults());
    // Not what was wished: somebody else may have been first.
    return readNamespace(link)
        .orElseThrow(
            () -> new SQLException("The settings just written to the namespace are gone."));
  }

  private void writeNamespace(Link link, NamespaceSettings wished) throws SQLException {
    Map<String, Object> parameters =
        Map.of(
            "protocol", wished.protocol(),
            "partitions", wished.partitions(),
            "maxttl", Micros.exactly("maxTtl", wished.maxTtl()),
            "maxclockstep", Micros.exactly("maxClockStep", wished.maxClockStep()));
    try {
      link.change(dialect.writeNamespace(), parameters);
    } catch (SQLException e) {
      if (!database.isRowMadeMeanwhile(e)) {
        throw e;
      }
    }
  }

  private Optional<NamespaceSettings> readNamespace(Link link) throws SQLException {
    return link
        .read(
            dialect.namespace(),
            Map.of(),
            row ->
                new NamespaceSettings(
                    row.getInt("protocol"),
                    row.getInt("partitions"),
                    StoreTime.duration(row.getLong("max_ttl")),
                    StoreTime.duration(row.getLong("max_clock_step"))))
        .stream()
        .findFirst();
  }

  /**
   * Returns whether a session opened here cannot be in the database that is there now. Told without
   * a look into that one, which may be missing, or damaged by what the former one left.
   */
  boolean isLost(SessionId session) {
    @Nullable Home home = homes.get(session);
    return home != null && database.isReplaced(home.origin());
  }

  Renewed renew(Link link, SessionId session) throws SQLException {
    @Nullable Home home = homes.get(session);
    Map<String, Object> parameters =
        Map.of("session", session.value(), "ttl", home == null ? 0L : home.ttl());
    Optional<Alive> row = answers.renew(link, parameters);
    if (row.isEmpty()) {
      homes.remove(session);
      return new Renewed.Over();
    }
    Alive alive = row.get();
    return new Renewed.Alive(
        StoreTime.duration(alive.ttl()),
        notices(alive.notices()),
        Optional.of(StoreTime.instant(alive.renewed())));
  }

  private static List<Notice> notices(String text) {
    return Arrays.stream(text.split(";", -1))
        .filter(request -> !request.isEmpty())
        .<Notice>map(request -> new Notice.Revoked(RequestId.parse(request)))
        .toList();
  }

  Ended end(Link link, SessionId session, EndIf when) throws SQLException {
    Map<String, String> parameters = Map.of("session", session.value());
    switch (when) {
      case CLOSED -> {
        homes.remove(session);
        link.change(dialect.closeSession(), parameters);
        return Ended.OVER;
      }
      case LAPSED -> {
        if (link.change(dialect.endLapsed(), parameters) > 0) {
          return Ended.OVER;
        }
        List<Boolean> doubtful =
            link.read(dialect.doubtful(), parameters, row -> row.getBoolean("doubtful"));
        if (doubtful.contains(true)) {
          link.change(dialect.restampSession(), parameters);
        }
        return doubtful.isEmpty() ? Ended.OVER : Ended.ALIVE;
      }
    }
    throw new IllegalArgumentException("Not a condition: " + when);
  }

  void acknowledge(Link link, RequestId request) throws SQLException {
    link.change(
        dialect.acknowledge(),
        Map.of("session", request.session().value(), "notice", request + ";"));
  }
}
