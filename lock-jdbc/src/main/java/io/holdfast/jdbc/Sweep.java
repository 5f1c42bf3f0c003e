package io.holdfast.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Deletes what nobody needs any more, a bounded number of rows at a time. What was written by a
 * clock that was ahead is given the present time, and deleted when it is as old as others by that.
 */
final class Sweep {

  private static final int MOST = 500;

  private final Dialect dialect;
  private final long idle;

  private record Idle(String name, long number, boolean free, boolean ahead) {}

  Sweep(Database database, Duration idle) {
    this.dialect = database.dialect();
    this.idle = StoreTime.micros(idle);
  }

  /** Returns how many sessions, records and orphaned holders are gone, or have another time. */
  int run(Link link) throws SQLException {
    Map<String, Object> bounds = Map.of("idle", idle, "most", MOST);
    int sessions = restampAhead(link) + link.change(dialect.deleteLapsed(), bounds);
    // Found by a query of its own: nobody has to wait while all the records are gone through.
    List<Idle> records =
        link.read(
            dialect.idleRecords(),
            bounds,
            row ->
                new Idle(
                    Views.hex(row.getBytes("name")),
                    row.getLong("number"),
                    row.getBoolean("free"),
                    row.getBoolean("ahead")));
    List<Idle> old = records.stream().filter(record -> !record.ahead()).toList();
    return sessions
        + restampIdle(link, records.stream().filter(Idle::ahead).toList())
        + evictOrphans(link, old.stream().filter(record -> !record.free()).toList())
        + deleteFree(link, old.stream().filter(Idle::free).toList());
  }

  private int restampAhead(Link link) throws SQLException {
    List<String> ahead =
        link.read(dialect.sessionsAhead(), Map.of("most", MOST), row -> row.getString("id"));
    return ahead.isEmpty()
        ? 0
        : link.change(dialect.restampAhead(), Map.of("sessions", dialect.sessions(ahead)));
  }

  private int restampIdle(Link link, List<Idle> ahead) throws SQLException {
    return ahead.isEmpty() ? 0 : link.change(dialect.restampIdle(), Map.of("names", names(ahead)));
  }

  /**
   * Records of which the holder is over and that nobody has asked for since: they are free from now
   * on, and deleted when they have been idle once more.
   */
  private int evictOrphans(Link link, List<Idle> held) throws SQLException {
    return held.isEmpty() ? 0 : link.change(dialect.evictOrphans(), Map.of("names", names(held)));
  }

  private int deleteFree(Link link, List<Idle> free) throws SQLException {
    if (free.isEmpty()) {
      return 0;
    }
    long highest = free.stream().mapToLong(Idle::number).max().orElseThrow();
    // First the floor: whoever makes a deleted record anew must start above its last number.
    link.change(dialect.raiseFloor(), Map.of("number", highest));
    return link.change(dialect.deleteFree(), Map.of("names", names(free), "idle", idle));
  }

  private Object names(List<Idle> records) {
    return dialect.names(records.stream().map(Idle::name).toList());
  }
}
