package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.database.RowChanges;
import io.holdfast.jdbc.database.StandardQueueTextDialect;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Tables and statements of MariaDB and MySQL, for READ COMMITTED, and for any SQL mode, time zone
 * and {@code sql_select_limit}: a proxy may lead the next statement over a connection that was not
 * set up. So no text is put together with {@code ||}, which may mean OR. No statement returns the
 * row that it has changed, so each that has something to tell puts a number into {@code
 * LAST_INSERT_ID}, which comes back as the generated key: it is evaluated only for a row that is
 * changed, and its last value counts. Whether rows found or rows changed are counted is not known.
 *
 * <p>Assignments are done from left to right, and each sees what those before it have done. So in
 * most statements the queue, on which everything depends, comes last.
 */
public final class MariaDialect extends StandardQueueTextDialect {

  /** The greatest limit there is, which is none. */
  static final String ALL_ROWS = "18446744073709551615";

  private static final Pattern UNLIMITED_QUERY =
      Pattern.compile("SELECT\\b(?!.*\\bLIMIT \\S+$).*", Pattern.DOTALL);

  @Override
  public RowChanges changes() {
    return new GeneratedKeyChanges(this);
  }

  @Override
  public List<String> tables() {
    return List.of(LOCKS, SESSIONS, NAMESPACE);
  }

  /** {@code answer} is there to be assigned what the last statement has told. */
  private static final String LOCKS =
      """
      CREATE TABLE IF NOT EXISTS {locks} (
        name     varbinary(512) NOT NULL PRIMARY KEY,
        number   bigint         NOT NULL,
        since    bigint         NOT NULL,
        given_in varchar(512)   NOT NULL,
        answer   bigint         NOT NULL,
        held     bigint         NOT NULL,
        queue    mediumtext     NOT NULL
      ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin""";

  /**
   * {@code opened_in} is the incarnation of the data in which a session was opened, and {@code
   * incarnation} the start of the server at its last renewal. {@code notices} are the requests
   * revoked, each with a semicolon after.
   */
  private static final String SESSIONS =
      """
      CREATE TABLE IF NOT EXISTS {sessions} (
        id          varchar(32)  NOT NULL PRIMARY KEY,
        ttl         bigint       NOT NULL,
        renewed     bigint       NOT NULL,
        incarnation varchar(32)  NOT NULL,
        opened_in   varchar(512) NOT NULL,
        process     text         NOT NULL,
        notices     mediumtext   NOT NULL
      ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin""";

  /**
   * {@code life} and {@code guard_until} are changed together, when a new incarnation of the data
   * is first seen.
   */
  private static final String NAMESPACE =
      """
      CREATE TABLE IF NOT EXISTS {namespace} (
        only_row       int          NOT NULL PRIMARY KEY CHECK (only_row = 1),
        protocol       int          NOT NULL,
        partitions     int          NOT NULL,
        max_ttl        bigint       NOT NULL,
        max_clock_step bigint       NOT NULL,
        floor          bigint       NOT NULL,
        life           varchar(512) NOT NULL,
        incarnation    varchar(32)  NOT NULL,
        guard_until    bigint       NOT NULL
      ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin""";

  /**
   * {@code NOW} is when the statement began, also if it has waited since. The two clocks of that
   * moment differ by the time zone of the connection.
   */
  @Override
  protected String now() {
    return """
        (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', SYSDATE(6))
         - TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), NOW(6)))""";
  }

  /** The clock when the statement began, however often it is asked for. */
  private static final String BEGAN =
      "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', UTC_TIMESTAMP(6))";

  /**
   * A connection may have been told another time, by {@code SET timestamp}: then the statement
   * fails, and the connection is replaced. No statement waits for a minute before it is executed.
   */
  private static final String CLOCK_IS_RIGHT =
      "CASE WHEN abs({now} - [began]) <= 60000000 THEN 1 ELSE exp(1000 + rand()) END";

  private static final String NAMES =
      "JSON_TABLE(:names, '$[*]' COLUMNS (v varchar(1024) PATH '$')) j";

  private static final String IDS =
      "JSON_TABLE(:sessions, '$[*]' COLUMNS (v varchar(32) PATH '$')) j";

  /** Only good for a query: a change, and an outer join, go through the whole table with it. */
  @Override
  protected String inNames() {
    return "IN (SELECT unhex(v) FROM " + NAMES + ")";
  }

  @Override
  protected String inSessions() {
    return "IN (SELECT v FROM " + IDS + ")";
  }

  /**
   * The data incarnation that was found when the connection was made, as long as it leads to the
   * same server: a proxy may lead it to another one since, or to this one started again. The place
   * is asked for again, and the start is a variable that only the server's end of the connection
   * knows, which costs nothing. Otherwise the statement fails, by a number that is out of range; it
   * is random, lest another client compute it before it is asked for.
   */
  @Override
  protected String dataIncarnation() {
    return """
        CASE WHEN substring_index(:dataincarnation, '/', 2) = %s
                  AND abs(%s - :incarnation) <= %s
             THEN :dataincarnation ELSE exp(1000 + rand()) END"""
        .formatted(MariaState.PLACE, MariaState.STARTED, MariaIncarnation.TOLERANCE);
  }

  @Override
  protected String incarnation() {
    return ":incarnation";
  }

  /** An incarnation is the second of its start. */
  @Override
  protected String settled() {
    return settledSince(":incarnation * 1000000");
  }

  /** Says that a query wants all rows: of one that does not, a connection may leave some out. */
  @Override
  protected String spell(String text) {
    return UNLIMITED_QUERY.matcher(text).matches() ? text + "\nLIMIT " + ALL_ROWS : text;
  }

  @Override
  public String writeNamespace() {
    return """
        INSERT INTO {namespace}
          (only_row, protocol, partitions, max_ttl, max_clock_step, floor, life, incarnation,
           guard_until)
        VALUES (1, :protocol, :partitions, :maxttl, :maxclockstep, 0, {data incarnation}, {incarnation}, 0)
        ON DUPLICATE KEY UPDATE only_row = only_row""";
  }

  /** Tells when it was opened; fails if the id was used. */
  @Override
  public String openSession() {
    return """
        INSERT INTO {sessions} (id, ttl, renewed, incarnation, opened_in, process, notices)
        SELECT :session, :ttl, LAST_INSERT_ID({now}), {incarnation}, {data incarnation}, :process, ''
        FROM {namespace} n
        WHERE n.life = {data incarnation} AND n.protocol = {protocol}""";
  }

  /** Tells when, or 1 if there is more to know. */
  @Override
  public String renew() {
    return """
        UPDATE {sessions} SET
          renewed = {now}, incarnation = {incarnation},
          ttl = ttl + 0 * LAST_INSERT_ID(
            CASE WHEN notices = '' AND ttl = :ttl THEN renewed ELSE 1 END)
        WHERE id = :session AND opened_in = {data incarnation}""";
  }

  /** Columns {@code ttl, notices, renewed, incarnation}. */
  String renewal() {
    return """
        SELECT ttl, notices, renewed, incarnation FROM {sessions} WHERE id = :session""";
  }

  /**
   * Tells the number if the request holds and that began then, 1 if it waits, 2 if it holds by a
   * number that ran ahead of the clock, and 0 if it has changed nothing. A record that is made has
   * the time of when the statement began, which is the same in all its columns; where one is there,
   * the clock is read after the wait for it. Once more is held than there is exactly if the request
   * holds.
   */
  @Override
  public String grab() {
    return in("""
        INSERT INTO {locks} (name, number, since, given_in, answer, held, queue)
        SELECT :name, greatest([began], n.floor + 1), [began], n.life,
               LAST_INSERT_ID(CASE WHEN n.floor < [began] THEN [began] ELSE 2 END),
               length(:entry), :entry
        FROM {namespace} n
        JOIN {sessions} s ON s.id = :session AND s.opened_in = {data incarnation}
        WHERE n.only_row = 1 AND (:guard = 0 OR n.guard_until <= {now}) AND [clock is right]
        ON DUPLICATE KEY UPDATE
          number   = CASE WHEN queue = '' THEN greatest({now}, number + 1) ELSE number END,
          since    = CASE WHEN queue = '' THEN least({now}, number) ELSE since END,
          given_in = CASE WHEN queue = '' THEN n.life ELSE given_in END,
          held     = CASE WHEN queue = '' OR ([may share] AND [is new])
                            THEN length(queue) + length(:entry) ELSE held END,
          answer   = CASE
            WHEN held > length(queue)
              THEN LAST_INSERT_ID(CASE WHEN since = number THEN number ELSE 2 END)
            WHEN [may wait] AND [is new] THEN LAST_INSERT_ID(1)
            ELSE answer + LAST_INSERT_ID(0) END,
          queue    = CASE WHEN held > length(queue) OR ([may wait] AND [is new])
                            THEN concat(queue, :entry) ELSE queue END""")
        .replace("[clock is right]", CLOCK_IS_RIGHT)
        .replace("[began]", BEGAN)
        .replace("(SELECT life FROM {namespace})", "n.life");
  }

  /**
   * Tells the number, which is also when it began. A record whose number ran ahead of the clock is
   * left to {@link #grab}.
   */
  @Override
  public String take() {
    return """
        UPDATE {locks} SET
          number = greatest({now}, number + 1), since = LAST_INSERT_ID(number),
          given_in = :dataincarnation, held = length(:entry), queue = :entry
        WHERE name = :name AND queue = '' AND number < {now}
          AND (SELECT :guard = 0 OR guard_until <= {now} FROM {namespace})
          AND (SELECT opened_in FROM {sessions} WHERE id = :session) = {data incarnation}""";
  }

  /**
   * Tells what it has done, and keeps with it how much still holds, for when the entry is gone: no
   * expression is put down twice that has parameters, each of which is sent.
   */
  @Override
  public String remove() {
    return in(
        """
        UPDATE {locks} SET
          answer   = 8 * [still held]
                     + LAST_INSERT_ID(
                         CASE WHEN instr(queue, :mark) > held THEN 1
                              WHEN [still held] > 0 THEN 4
                              WHEN instr(queue, ';') < length(queue) OR :newcomer <> '' THEN 3
                              ELSE 2 END),
          number   = CASE answer WHEN 3 THEN greatest({now}, number + 1) ELSE number END,
          since    = CASE WHEN answer < 8 THEN {now} ELSE since END,
          given_in = CASE answer WHEN 3 THEN (SELECT life FROM {namespace}) ELSE given_in END,
          queue    = CASE WHEN instr(queue, ';') = length(queue) THEN :newcomer ELSE [rest] END,
          held     = CASE WHEN answer > 8 AND (substr(queue, 1, 1) = 'x'
                                               OR given_in <> (SELECT life FROM {namespace}))
                            THEN answer DIV 8
                          WHEN instr(queue, 'x!') = 0 THEN length(queue)
                          WHEN instr(queue, 'x!') = 1 THEN instr(queue, ';')
                          ELSE instr(queue, 'x!') - 1 END
        WHERE name = :name AND instr(queue, :mark) > 0
          AND (:number = 0 OR (number = :number AND instr(queue, :mark) <= held))""");
  }

  @Override
  public String notifyRevoked() {
    return super.notifyRevoked()
        .replace("{notices but one} || :notice", "concat({notices but one}, :notice)");
  }

  @Override
  public String sessions() {
    return """
        SELECT s.id, s.ttl, s.renewed, {comparable s.incarnation} AS comparable,
               n.max_clock_step AS step, {now} AS now, {incarnation} AS present
        FROM {namespace} n
        LEFT JOIN ("""
        + IDS
        + " JOIN {sessions} s ON s.id = j.v AND s.opened_in = {data incarnation}) ON true";
  }

  @Override
  public String restampIdle() {
    return "UPDATE "
        + NAMES
        + """
         STRAIGHT_JOIN {locks} l ON l.name = unhex(j.v) SET l.since = {now}
        WHERE l.since > {now}""";
  }

  @Override
  public String restampAhead() {
    return "UPDATE "
        + IDS
        + """
         STRAIGHT_JOIN {sessions} s ON s.id = j.v SET s.renewed = {now}
        WHERE s.renewed > {now}""";
  }

  @Override
  public String deleteFree() {
    return "DELETE l FROM "
        + NAMES
        + """
         STRAIGHT_JOIN {locks} l ON l.name = unhex(j.v)
        WHERE l.queue = '' AND l.since <= {now} - :idle AND l.number < {now} - :idle
          AND l.number <= (SELECT floor FROM {namespace})""";
  }

  @Override
  public String deleteLapsed() {
    return """
        DELETE FROM {sessions} WHERE\s"""
        + LAPSED
        + """

        LIMIT :limit""";
  }
}
