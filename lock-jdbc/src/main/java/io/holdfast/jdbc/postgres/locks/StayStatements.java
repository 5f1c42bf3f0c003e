package io.holdfast.jdbc.postgres.locks;

import io.holdfast.record.Stay.Reason;

/**
 * The statements that give a holder a stay: {@code stay} says what for, {@code stay_from} when it
 * began by the clock of {@code stay_in}, and {@code stay_for} how long it lasts. A holder is {@code
 * revoked}; or it is in its {@code lock-delay}, when its session is over, which is used up then:
 * {@code lock_delay} is 0; or it was given back and stays for {@code at-least} a time, as a
 * tombstone, whose request has a sign before it.
 */
final class StayStatements {

  private StayStatements() {}

  /** Returns what a stay is for. */
  static Reason reason(String stay) {
    return switch (stay) {
      case "revoked" -> Reason.REVOKED;
      case "lock-delay" -> Reason.LOCK_DELAY;
      case "at-least" -> Reason.AT_LEAST;
      default -> throw new IllegalArgumentException("Not a stay: " + stay);
    };
  }

  /** Whether {@code :request} holds the lock with {@code :number}, and does not stay. */
  private static final String HOLDS =
      """
      EXISTS (SELECT 1 FROM {locks} o LEFT JOIN {queue} me ON me.request = :request
              WHERE o.name = :name AND o.number = :number
                AND (o.holder = :request OR me.name = o.name AND me.pos <= o.head))""";

  /** Tells the {@code :session} of the observed holder to give up its grant at once. */
  static final String TELL_AT_ONCE =
      """
      UPDATE {sessions} SET notices = {notices but one} || :once
      WHERE id = :session AND strpos(notices, :once) = 0 AND\s"""
          + HOLDS;

  /**
   * Tells the {@code :session} of the observed holder for how long it may keep its grant, unless it
   * was told so already and has less time.
   */
  static final String TELL_LATER =
      """
      UPDATE {sessions} SET
        notices = {notices but one} || :begin || 'r' || {now} || '+' || :notice || '@'
                  || {incarnation} || ';'
      WHERE id = :session AND strpos(notices, :once) = 0
        AND (strpos(notices, :begin) = 0
             OR (SELECT told[3] = {incarnation} AND CAST(told[1] AS bigint) <= {now}
                        AND CAST(told[1] AS bigint) + CAST(told[2] AS bigint) > {now} + :notice
                 FROM regexp_match(substr(notices, strpos(notices, :begin)),
                                   '^[^,]*,r([0-9]+)[+]([0-9]+)@([^;]*);') told))
        AND\s"""
          + HOLDS;

  /**
   * Changes the entry of a request that holds, by {@code :number} unless that is 0: in {@code
   * holder} if it lies in the lock's row, in {@code member} if it lies in the queue. The lock's row
   * is locked first, as by all who change the queue. While an entry is there it holds by the number
   * by which it was seen to.
   *
   * @param request which request
   * @param set the change of the entry {@code l}, where {@code s} has the {@code ttl} of its
   *     session, NULL if that is over, and {@code step}
   * @param when the condition on it
   * @param result the result that is told
   */
  private static String change(String request, String key, String set, String when, String result) {
    return """
        WITH seen AS (
          SELECT me.pos, h.ttl, n.max_clock_step AS step,
                 CASE WHEN me.pos IS NULL THEN o.stay ELSE me.stay END AS stay
          FROM {locks} o
          CROSS JOIN {namespace} n
          LEFT JOIN {queue} me ON me.request [request]
          LEFT JOIN {sessions} h ON h.id = :session AND h.opened_in = {data incarnation}
          WHERE o.name = :name AND :number IN (0, o.number) AND {durably}
            AND (o.holder [request] OR me.name = o.name AND me.pos <= o.head)),
        locked AS (
          UPDATE {locks} l SET version = l.version + 1 FROM seen s
          WHERE l.name = :name AND :number IN (0, l.number) AND s.pos IS NOT NULL
          RETURNING s.pos),
        holder AS (
          UPDATE {locks} l SET version = l.version + 1, [set holder] FROM seen s
          WHERE l.name = :name AND :number IN (0, l.number) AND l.holder [request] AND [when]
          RETURNING l.stay_from + l.stay_for AS ends, s.ttl),
        member AS (
          UPDATE {queue} l SET [set request] FROM seen s
          WHERE l.name = :name AND l.pos = (SELECT pos FROM locked) AND [when]
          RETURNING l.stay_from + l.stay_for AS ends, s.ttl),
        changed AS (SELECT * FROM holder UNION ALL SELECT * FROM member)
        [result]"""
        .replace("[set holder]", key.replace("[key]", "holder") + set)
        .replace("[set request]", key.replace("[key]", "request") + set)
        .replace("[when]", when)
        .replace("[result]", result)
        .replace("[request]", request);
  }

  /**
   * Revokes the observed holder, so that it may be removed when a whole TTL, and {@code :notice},
   * have passed; or when its present stay ends, if that is sooner. Without notice it uses up a
   * lock-delay. Column {@code remaining}: how long it still lasts; 0 if its session is over, -1 if
   * it stays without one, which this does not change, and -2 if a step came between.
   */
  static final String REVOKE =
      change(
          Fragments.orTombstone(":request"),
          "",
          """
          (stay_from, stay_for, stay_in) = (
            SELECT l.stay_from, l.stay_for, l.stay_in
            WHERE [ends sooner]
            UNION ALL
            SELECT {now}, CASE WHEN l.stay = '' THEN [lasts] ELSE least(l.stay_for, [lasts]) END,
                   {incarnation}
            WHERE NOT [ends sooner]),
          stay = 'revoked', lock_delay = CASE WHEN :notice = 0 THEN 0 ELSE l.lock_delay END"""
              .replace(
                  "[ends sooner]",
                  """
                  (l.stay <> '' AND {comparable l.stay_in} AND l.stay_from <= {now}
                   AND l.stay_from + l.stay_for <= {now} + [lasts])""")
              .replace("[lasts]", "(greatest(:notice, coalesce(s.ttl, 0)) + s.step)"),
          "l.stay IN ('', 'revoked') AND (s.ttl IS NOT NULL OR :notice = 0)",
          """
          SELECT CASE WHEN ttl IS NULL THEN 0 ELSE greatest(0, ends - {now}) END AS remaining
          FROM changed
          UNION ALL
          SELECT CASE WHEN stay NOT IN ('', 'revoked') THEN -1
                      WHEN ttl IS NULL AND :notice > 0 THEN 0 ELSE -2 END
          FROM seen WHERE NOT EXISTS (SELECT 1 FROM changed)""");

  /**
   * Makes a tombstone of a holder that was not revoked, which stays for {@code :stay}: column
   * {@code stays}, whether there is one now, or was before. The first waiter is told, so that it
   * learns when that ends.
   */
  static final String BURY =
      Fragments.in(
          change(
              "= :request",
              "[key] = '%s' || l.[key], ".formatted(Fragments.TOMBSTONE),
              """
              stay = 'at-least', stay_from = {now}, stay_for = :stay, stay_in = {incarnation},
              lock_delay = 0""",
              "l.stay <> 'revoked'",
              """
              , told AS (
                SELECT count([tell])
                FROM (SELECT q.request FROM {locks} o
                      CROSS JOIN LATERAL (
                        SELECT * FROM {queue} w WHERE w.name = o.name AND w.pos > o.head
                        ORDER BY w.pos LIMIT 1) q
                      WHERE o.name = :name AND EXISTS (SELECT 1 FROM changed)) t)
              SELECT EXISTS (SELECT 1 FROM changed)
                     OR EXISTS (SELECT 1 FROM {locks} WHERE name = :name AND holder = [tombstone])
                     OR EXISTS (SELECT 1 FROM {queue} WHERE request = [tombstone]) AS stays,
                     (SELECT * FROM told)"""
                  .replace("[tombstone]", "'%s' || :request".formatted(Fragments.TOMBSTONE))));

  /** Lets the lock-delay of an observed holder begin whose session is over: a row if it did. */
  static final String BEGIN_DELAY =
      change(
          "= :request",
          "",
          """
          stay = 'lock-delay', stay_from = {now}, stay_for = l.lock_delay,
          stay_in = {incarnation}, lock_delay = 0""",
          "l.lock_delay > 0 AND s.ttl IS NULL",
          "SELECT ends FROM changed");

  /**
   * Lets the stays of a lock's holders begin again that began in the future, or under another
   * incarnation of the server, whose clock may have been another.
   */
  static final String RESTAMP =
      """
      WITH members AS (
        UPDATE {queue} SET stay_from = {now}, stay_in = {incarnation}
        WHERE name = :name AND [is doubtful])
      UPDATE {locks} SET stay_from = {now}, stay_in = {incarnation}, version = version + 1
      WHERE name = :name AND [is doubtful]"""
          .replace(
              "[is doubtful]", "stay <> '' AND (stay_from > {now} OR NOT ({comparable stay_in}))");
}
