package io.holdfast.jdbc.verbs;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.Exclusion;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.record.Retirement;
import io.holdfast.record.Retirement.InUse;
import io.holdfast.record.Retirement.LiveSession;
import io.holdfast.record.Retirement.Nothing;
import io.holdfast.record.Retirement.Retired;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.NamespaceSettings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Retires the tables of an older layout. The namespace's row stays, with the greatest number as its
 * floor, so that numbers go on rising, settings stay and a restart guard goes on. The other tables
 * go, and the next client makes those of the present layout: a statement of a client of the older
 * one finds either no table, or not its columns, or the namespace of another protocol.
 *
 * <p>Sessions are judged twice: once while all clients may come and go, so that live ones are never
 * kept waiting, and once while the others are kept out.
 */
public final class Retirements {

  /** How many live sessions are told. */
  private static final int TOLD_MAX = 10;

  private static final String NAMESPACE = "namespace";
  private static final String SESSIONS = "sessions";
  private static final String LOCKS = "locks";

  /** All but the namespace's, in the order in which they are dropped. */
  private static final List<String> DROPPED = List.of(LOCKS, "queue", SESSIONS);

  private static final String SETTINGS = "SELECT protocol, max_clock_step FROM {namespace}";

  /** Gives those whose last renewal cannot be judged a whole TTL from now on. */
  private static final String RESTAMP =
      """
      UPDATE {sessions} SET renewed = {now}, incarnation = {incarnation}
      WHERE opened_in = {data incarnation} AND (NOT ({comparable incarnation}) OR renewed > {now})""";

  /** The clock step as a number: with the table's locks a statement may name each only once. */
  private static final String LIVE =
      """
      SELECT id, process, renewed + ttl + %1$s - {now} AS remaining FROM {sessions}
      WHERE opened_in = {data incarnation}
        AND (NOT ({comparable incarnation}) OR renewed > {now} OR renewed + ttl + %1$s > {now})
      ORDER BY id LIMIT %2$s""";

  private static final String END_OTHERS =
      """
      DELETE FROM {sessions}
      WHERE opened_in <> {data incarnation}
         OR ({comparable incarnation} AND renewed <= {now} AND renewed + ttl + %1$s <= {now})""";

  private static final String GREATEST = "SELECT coalesce(max(number), 0) AS greatest FROM {locks}";

  private final LockDatabase database;
  private final DatabaseConnection connection;
  private final Exclusion exclusion;

  /** The row of the namespace. */
  private record Settings(int protocol, long step) {}

  private Retirements(LockDatabase database, DatabaseConnection connection) {
    this.database = database;
    this.connection = connection;
    this.exclusion = database.exclusion();
  }

  /**
   * Retires the older layout in a database; the caller ends the call at its deadline.
   *
   * @param connection one that was {@linkplain LockDatabase#openFormer opened} for this; it is
   *     given back
   */
  public static Retirement retire(
      LockDatabase database, DatabaseConnection connection, Deadline deadline) {
    connection.begin(deadline);
    try {
      return connection.call(own -> new Retirements(database, own).retire());
    } catch (SQLException e) {
      connection.markUnusable();
      throw database.failure(e, connection.hasChanged() ? Effect.UNKNOWN : Effect.NONE);
    } catch (RuntimeException | Error e) {
      // Its locks on tables must not stay.
      connection.markUnusable();
      throw e;
    } finally {
      connection.giveBack();
    }
  }

  private Retirement retire() throws SQLException {
    Set<String> there = database.tablesThere(connection);
    Optional<Settings> found = there.contains(NAMESPACE) ? settings() : Optional.empty();
    if (found.isEmpty()) {
      return new Nothing();
    }
    Settings settings = requireOld(found.get());
    if (there.contains(SESSIONS)) {
      change(RESTAMP);
      change(END_OTHERS.formatted(settings.step()));
      List<LiveSession> live = live(settings);
      if (!live.isEmpty()) {
        return new InUse(settings.protocol(), live);
      }
    }
    return switch (exclusion.begin(connection, there.stream().map(this::fullName).toList())) {
      case BEGUN -> retireAlone(there, settings);
      case SESSION_IN_THE_WAY -> interrupted(settings);
    };
  }

  private Retirement retireAlone(Set<String> there, Settings before) throws SQLException {
    Settings settings = settings().orElse(before);
    List<LiveSession> live = there.contains(SESSIONS) ? live(settings) : List.of();
    if (settings.protocol() != before.protocol() || !live.isEmpty()) {
      exclusion.giveUp(connection);
      requireOld(settings);
      return new InUse(settings.protocol(), live);
    }
    // In this order, each step leaves tables of the older layout that can be retired again.
    if (there.contains(LOCKS)) {
      long greatest = connection.read(GREATEST, Map.of(), row -> row.getLong("greatest")).get(0);
      connection.change(database.dialect().raiseFloor(), Map.of("number", greatest));
    }
    for (String table : DROPPED) {
      if (there.contains(table)) {
        change("DROP TABLE {%s}".formatted(table));
      }
    }
    change("UPDATE {namespace} SET protocol = %s".formatted(database.dialect().protocol()));
    exclusion.finish(connection);
    return new Retired(settings.protocol());
  }

  private Retirement interrupted(Settings settings) throws SQLException {
    List<LiveSession> live = live(settings);
    if (live.isEmpty()) {
      throw new BackendFailure(
          Effect.NONE,
          "A session at %s was opened and has ended in the same moment. Try again."
              .formatted(database.describe()),
          null);
    }
    return new InUse(settings.protocol(), live);
  }

  private Settings requireOld(Settings settings) {
    NamespaceSettings.requireOld(
        settings.protocol(), database.dialect().protocol(), database.describe());
    return settings;
  }

  private Optional<Settings> settings() throws SQLException {
    return connection
        .read(
            SETTINGS,
            Map.of(),
            row -> new Settings(row.getInt("protocol"), row.getLong("max_clock_step")))
        .stream()
        .findFirst();
  }

  private List<LiveSession> live(Settings settings) throws SQLException {
    return new ArrayList<>(
        connection.read(
            LIVE.formatted(settings.step(), TOLD_MAX),
            Map.of(),
            row ->
                new LiveSession(
                    new SessionId(row.getString("id")),
                    new ProcessIdentity(row.getString("process")),
                    StoreTime.duration(Math.max(0, row.getLong("remaining"))))));
  }

  private void change(String text) throws SQLException {
    int unused = connection.change(text, Map.of());
  }

  private String fullName(String table) {
    return database.render("{%s}".formatted(table));
  }
}
