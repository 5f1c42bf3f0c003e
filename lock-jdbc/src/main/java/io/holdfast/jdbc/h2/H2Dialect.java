package io.holdfast.jdbc.h2;

import io.holdfast.jdbc.database.StandardQueueTextDialect;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/**
 * H2's tables and its spelling of the statements, 2.3 or newer. A statement that waited for a row
 * is evaluated once more with what the row has become, as everywhere; a MERGE that lost the race
 * for a new row fails with a duplicate key instead.
 */
public final class H2Dialect extends StandardQueueTextDialect {

  private static final String RETURNING = "RETURNING ";

  /**
   * The clock: {@code CURRENT_TIMESTAMP} stands still while a statement waits for a row, and there
   * is no other that does not.
   */
  private static final String CLOCK =
      """
      CREATE ALIAS IF NOT EXISTS {millis} FOR 'java.lang.System.currentTimeMillis'""";

  /**
   * {@code answer} tells what the last removal found. FINAL TABLE shows only what a row has become,
   * so the row keeps it. A queue has at most {@link #QUEUE_MAX} characters.
   */
  private static final String LOCKS =
      """
      CREATE TABLE IF NOT EXISTS {locks} (
        name     VARBINARY(512)  NOT NULL PRIMARY KEY,
        number   BIGINT          NOT NULL,
        since    BIGINT          NOT NULL,
        given_in VARCHAR(100)    NOT NULL,
        answer   BIGINT          NOT NULL,
        held     BIGINT          NOT NULL,
        queue    VARCHAR(1000000) NOT NULL
      )""";

  private static final String SESSIONS =
      """
      CREATE TABLE IF NOT EXISTS {sessions} (
        id          VARCHAR(32)     NOT NULL PRIMARY KEY,
        ttl         BIGINT          NOT NULL,
        renewed     BIGINT          NOT NULL,
        incarnation VARCHAR(100)    NOT NULL,
        opened_in   VARCHAR(100)    NOT NULL,
        process     VARCHAR(100000) NOT NULL,
        notices     VARCHAR(600000) NOT NULL
      )""";

  /** {@code guard_until} is always 0: there is no restart guard. */
  private static final String NAMESPACE =
      """
      CREATE TABLE IF NOT EXISTS {namespace} (
        only_row       INTEGER      NOT NULL PRIMARY KEY CHECK (only_row = 1),
        protocol       INTEGER      NOT NULL,
        partitions     INTEGER      NOT NULL,
        max_ttl        BIGINT       NOT NULL,
        max_clock_step BIGINT       NOT NULL,
        floor          BIGINT       NOT NULL,
        life           VARCHAR(100) NOT NULL,
        guard_until    BIGINT       NOT NULL
      )""";

  @Override
  public List<String> tables() {
    return List.of(CLOCK, LOCKS, SESSIONS, NAMESPACE);
  }

  @Override
  public Object names(Collection<String> hex) {
    return hex.stream().map(HexFormat.of()::parseHex).toArray();
  }

  @Override
  public Object sessions(Collection<String> ids) {
    return ids.toArray();
  }

  @Override
  protected String now() {
    return "({millis}() * 1000)";
  }

  @Override
  protected String dataIncarnation() {
    return "CAST(:dataincarnation AS VARCHAR)";
  }

  @Override
  protected String incarnation() {
    return "CAST(:incarnation AS VARCHAR)";
  }

  @Override
  protected String settled() {
    return settledAtOnce();
  }

  @Override
  protected String comparable(String column) {
    return comparableIfKnown(column);
  }

  @Override
  protected String inNames() {
    return "= ANY(:names)";
  }

  @Override
  protected String inSessions() {
    return "= ANY(:sessions)";
  }

  /** The columns that a statement returns are selected from the rows as it leaves them. */
  @Override
  protected String spell(String text) {
    int returning = text.indexOf(RETURNING);
    return returning < 0
        ? text
        : "SELECT %s FROM FINAL TABLE (%s)"
            .formatted(
                text.substring(returning + RETURNING.length()), text.substring(0, returning));
  }

  @Override
  public String writeNamespace() {
    return """
        INSERT INTO {namespace}
          (only_row, protocol, partitions, max_ttl, max_clock_step, floor, life, guard_until)
        SELECT 1, CAST(:protocol AS INTEGER), CAST(:partitions AS INTEGER),
               CAST(:maxttl AS BIGINT), CAST(:maxclockstep AS BIGINT), 0,
               {data incarnation}, 0
        WHERE NOT EXISTS (SELECT 1 FROM {namespace})""";
  }

  @Override
  public String openSession() {
    return """
        INSERT INTO {sessions} (id, ttl, renewed, incarnation, opened_in, process, notices)
        SELECT CAST(:session AS VARCHAR), CAST(:ttl AS BIGINT), {now},
               {incarnation}, {data incarnation}, CAST(:process AS VARCHAR), ''
        FROM {namespace} n
        WHERE n.life = {data incarnation} AND n.protocol = {protocol}
          AND NOT EXISTS (SELECT 1 FROM {sessions} WHERE id = :session)
        RETURNING renewed""";
  }

  @Override
  public String grab() {
    return in("""
        MERGE INTO {locks} AS l
        USING (SELECT CAST(:name AS VARBINARY(512)) AS name, n.floor + 1 AS least, n.life,
                      CAST(:entry AS VARCHAR) AS entry
               FROM {namespace} n
               WHERE EXISTS (SELECT 1 FROM {sessions} s
                             WHERE s.id = :session AND s.opened_in = {data incarnation})
                 AND (:guard = 0 OR n.guard_until = 0 OR n.guard_until <= {now})) AS w
        ON l.name = w.name
        WHEN MATCHED AND (queue = '' OR ([is new] AND ([may share] OR [may wait])))
          THEN UPDATE SET
            number   = CASE WHEN queue = '' THEN greatest({now}, w.least, number + 1)
                            ELSE number END,
            since    = CASE WHEN queue = '' THEN {now} ELSE since END,
            given_in = CASE WHEN queue = '' THEN w.life ELSE given_in END,
            held     = CASE WHEN queue = '' OR [may share] THEN length(queue) + length(w.entry)
                            ELSE held END,
            queue    = queue || w.entry
        WHEN NOT MATCHED
          THEN INSERT (name, number, since, given_in, answer, held, queue)
            VALUES (w.name, greatest({now}, w.least), {now}, w.life, 0,
                    length(w.entry), w.entry)
        RETURNING CASE WHEN instr(queue, :mark) < held THEN number ELSE 0 END AS granted, since""")
        .replace("(SELECT life FROM {namespace})", "w.life");
  }
}
