package io.holdfast.jdbc.database;

/**
 * The statements of such databases on queues that are texts. Parts that several of them have in
 * common stand in them under a name in square brackets.
 *
 * <p>Some databases do assignments one by one, and each sees those before it. So {@code queue}
 * comes last, on which all the others depend, and before it {@code held}.
 */
public abstract class StandardQueueTextDialect extends StandardDialect implements QueueTextDialect {

  /** The request has neither an entry nor one that stays without a session. */
  private static final String IS_NEW =
      """
      (instr(replace(queue, '~', '!'), :mark) = 0 AND length(queue) <= :room)""";

  /**
   * Shared requests hold the lock, none waits, and no exclusive grant can have followed that this
   * database has lost.
   */
  private static final String MAY_SHARE =
      """
      (:shared = 1 AND substr(queue, 1, 1) = 's' AND held = length(queue)
       AND given_in = (SELECT life FROM {namespace}))""";

  private static final String MAY_WAIT =
      """
      (:join = 1 AND length(substr(queue, held + 1))
                     - length(replace(substr(queue, held + 1), ';', '')) < :waiters)""";

  private static final String ENTRY_SIZE =
      """
      instr(substr(queue, instr(queue, :mark) - 1), ';')""";

  /** The queue without the entry. */
  private static final String REST =
      """
      replace(queue, substr(queue, instr(queue, :mark) - 1, [entry size]), '')""";

  /** How much of the queue still holds without the entry. */
  private static final String STILL_HELD =
      """
      (CASE WHEN instr(queue, :mark) <= held THEN held - [entry size] ELSE held END)""";

  /**
   * How much of the rest holds if it may: its first entry, or all that are shared before an 'x'.
   */
  private static final String RUN_OF_REST =
      """
      (CASE instr([rest], 'x!') WHEN 0 THEN length([rest]) WHEN 1 THEN instr([rest], ';')
                                ELSE instr([rest], 'x!') - 1 END)""";

  /** Returns a statement with its parts filled in. */
  protected static String in(String text) {
    return text.replace("[is new]", IS_NEW)
        .replace("[may share]", MAY_SHARE)
        .replace("[may wait]", MAY_WAIT)
        .replace("[run of rest]", RUN_OF_REST)
        .replace("[still held]", STILL_HELD)
        .replace("[rest]", REST)
        .replace("[entry size]", ENTRY_SIZE);
  }

  @Override
  public String standing() {
    return """
        SELECT EXISTS (SELECT 1 FROM {sessions} m
                       WHERE m.id = :session AND m.opened_in = {data incarnation}) AS mine,
               l.name, l.number, l.since, l.held, l.queue,
               s.ttl, s.renewed, {comparable s.incarnation} AS comparable,
               n.max_clock_step AS step, n.guard_until AS guard,
               {now} + n.max_ttl + n.max_clock_step AS guard_max, {now} AS now,
               {incarnation} AS present
        FROM {namespace} n
        LEFT JOIN {locks} l ON l.name = :name
        LEFT JOIN {sessions} s ON s.id = substr(l.queue, 3, 32) AND s.opened_in = {data incarnation}""";
  }

  /** Without the restart guard, for databases that have none. */
  @Override
  public String take() {
    return """
        UPDATE {locks} SET
          number = greatest({now}, number + 1), since = {now}, given_in = {data incarnation},
          held = length(:entry), queue = :entry
        WHERE name = :name AND queue = ''
          AND (SELECT opened_in FROM {sessions} WHERE id = :session) = {data incarnation}
        RETURNING number, since""";
  }

  @Override
  public String leave() {
    return """
        UPDATE {locks} SET since = {now}, held = 0, queue = ''
        WHERE name = :name AND instr(queue, :mark) = 2 AND instr(queue, ';') = length(queue)""";
  }

  /** A single entry is taken first: that is the frequent case, and costs the least so. */
  @Override
  public String remove() {
    return in(
        """
        UPDATE {locks} SET
          answer   = CASE WHEN instr(queue, ';') = length(queue)
                            THEN CASE :newcomer WHEN '' THEN 2 ELSE 3 END
                          WHEN instr(queue, :mark) > held THEN 1
                          WHEN [still held] > 0 THEN 4 ELSE 3 END,
          number   = CASE WHEN instr(queue, ';') = length(queue) AND :newcomer = '' THEN number
                          WHEN [still held] > 0 THEN number
                          ELSE greatest({now}, number + 1) END,
          since    = CASE WHEN instr(queue, ';') = length(queue) OR [still held] = 0 THEN {now}
                          ELSE since END,
          given_in = CASE WHEN instr(queue, ';') = length(queue) AND :newcomer = '' THEN given_in
                          WHEN [still held] > 0 THEN given_in
                          ELSE (SELECT life FROM {namespace}) END,
          held     = CASE WHEN instr(queue, ';') = length(queue) THEN length(:newcomer)
                          WHEN [still held] > 0 AND (substr(queue, 1, 1) = 'x'
                                                     OR given_in <> (SELECT life FROM {namespace}))
                            THEN [still held]
                          ELSE [run of rest] END,
          queue    = CASE WHEN instr(queue, ';') = length(queue) THEN :newcomer ELSE [rest] END
        WHERE name = :name AND instr(queue, :mark) > 0
          AND (:number = 0 OR (number = :number AND instr(queue, :mark) <= held)) AND {durably}""");
  }

  @Override
  public String replaceEntry() {
    return """
        UPDATE {locks} SET
          held  = CASE WHEN instr(queue, :old) <= held THEN held + :longer ELSE held END,
          queue = replace(queue, :old, :new)
        WHERE name = :name AND number = :number AND instr(queue, :old) > 0 AND {durably}""";
  }

  @Override
  public String downgrade() {
    return """
        UPDATE {locks} SET
          number   = greatest({now}, number + 1), since = {now}, given_in = {data incarnation},
          held     = CASE instr(substr(queue, 2), 'x!') WHEN 0 THEN length(queue)
                          ELSE instr(substr(queue, 2), 'x!') END,
          queue    = replace(queue, :exclusive, :shared)
        WHERE name = :name AND instr(queue, :exclusive) = 1 AND {durably}""";
  }

  @Override
  public String notifyRevoked() {
    return """
        UPDATE {sessions} SET notices = {notices but one} || :notice
        WHERE id = :holder AND instr(notices, :once) = 0
          AND (instr(notices, :begin) = 0 OR instr(notices, :instead) > 0)
          AND EXISTS (SELECT 1 FROM {locks}
                      WHERE name = :name AND number = :number
                        AND instr(queue, :mark) BETWEEN 1 AND held)""";
  }

  @Override
  public String notices() {
    return """
        SELECT notices FROM {sessions} WHERE id = :session""";
  }

  @Override
  public String queues() {
    return """
        SELECT name, number, since, held, queue FROM {locks}
        WHERE name {in names}
          AND EXISTS (SELECT 1 FROM {sessions} m WHERE m.id = :session AND m.opened_in = {data incarnation})""";
  }

  @Override
  public String glance() {
    return """
        SELECT name, number, since, held, queue FROM {locks} WHERE name {in names}""";
  }

  @Override
  public String queuesWith() {
    return """
        SELECT name, number, since, held, queue FROM {locks}
        WHERE name >= :low AND name < :high AND instr(queue, :begin) > 0
        ORDER BY name LIMIT :limit""";
  }

  @Override
  public String sessions() {
    return """
        SELECT s.id, s.ttl, s.renewed, {comparable s.incarnation} AS comparable,
               n.max_clock_step AS step, {now} AS now, {incarnation} AS present
        FROM {namespace} n
        LEFT JOIN {sessions} s
          ON s.id {in sessions} AND s.opened_in = {data incarnation}""";
  }

  @Override
  public String list() {
    return """
        SELECT l.name, l.number, l.since, l.held, l.queue,
               s.ttl, s.renewed, {comparable s.incarnation} AS comparable,
               n.max_clock_step AS step, {now} AS now, {incarnation} AS present
        FROM {namespace} n
        CROSS JOIN {locks} l
        LEFT JOIN {sessions} s ON s.id = substr(l.queue, 3, 32) AND s.opened_in = {data incarnation}
        WHERE l.name >= :low AND l.name < :high AND l.queue <> ''
        ORDER BY l.name LIMIT :limit""";
  }

  @Override
  public String idleRecords() {
    return """
        SELECT name, number, queue = '' AS free, since > {now} AS ahead FROM {locks} l
        WHERE (since > {now} OR (since <= {now} - :idle AND (queue <> '' OR number < {now} - :idle)))
          AND (queue = '' OR substr(queue, 2, 1) = '~'
               OR NOT EXISTS (SELECT 1 FROM {sessions} s WHERE s.id = substr(l.queue, 3, 32)))
        LIMIT :limit""";
  }

  /**
   * A grab that began before the floor was raised, and finds its record deleted, goes by the old
   * floor, and by the clock as it was when it began. So a record is only deleted when the clock has
   * long passed its number: a number that such a grab takes is above it then, by any floor that it
   * has seen.
   */
  @Override
  public String deleteFree() {
    return """
        DELETE FROM {locks}
        WHERE name {in names}
          AND queue = '' AND since <= {now} - :idle AND number < {now} - :idle
          AND number <= (SELECT floor FROM {namespace})""";
  }

  @Override
  public RowChanges changes() {
    return new ReturningChanges(this);
  }
}
