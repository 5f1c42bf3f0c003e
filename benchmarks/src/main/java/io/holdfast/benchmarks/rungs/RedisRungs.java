package io.holdfast.benchmarks.rungs;

import io.holdfast.redis.script.Script;
import java.util.List;

/** The steps of Redis, where a free lock has no record. */
final class RedisRungs {

  private static final String KEYS =
      """
      local call, sub, find = redis.call, string.sub, string.find
      local namespace = KEYS[1]
      local base = sub(namespace, 1, -10)
      local key = base .. 'lock:' .. ARGV[4]
      """;

  private static final String SESSION =
      """
      local opened = call('HGET', base .. 'session:' .. sub(ARGV[5], 1, 32), 'life')
      """;

  private static final String KNOWN =
      """
      local known = call('HMGET', namespace, 'protocol', 'incarnation', 'life', 'guard', 'floor',
        'replid', 'durable')
      if known[1] and known[1] ~= '2' then
        return redis.error_reply('HOLDFASTPROTOCOL ' .. known[1])
      end
      """;

  private static final String SAME_SERVER =
      """
      local replication = call('INFO', 'replication')
      local is_known = find(replication, 'role:master', 1, true)
        and known[6] and find(replication, 'master_replid:' .. known[6], 1, true)
      if known[7] == '1' then
        is_known = false
      end
      """;

  private static final String CLOCK =
      """
      local stamp = call('TIME')
      local now = sub('000000000' .. stamp[1], -10) .. sub('00000' .. stamp[2], -6)
      """;

  private static final String TAKE_BY_CLOCK =
      """
      if is_known and known[5] < now and (known[4] <= now or ARGV[9] ~= '1')
        and opened == known[3] and call('SET', key, now .. ARGV[5], 'NX') then
      """;

  private static final String GRANTED =
      """
        return {'granted', now, now, '0'}
      end
      """;

  private static final String KNOWN_TO_LEAVE =
      """
      local known = call('HMGET', namespace, 'protocol', 'floor')
      """;

  private static final String LEAVE_KNOWN =
      """
      if call('GET', key) == ARGV[5] then
      """
          + KNOWN_TO_LEAVE
          + """
        if known[1] == '2' then
          call('DEL', key)
          return 'FREED'
        end
      end
      """;

  private static final String IF_MINE =
      """
      local record = call('GET', key)
      if record and sub(record, 17) == ARGV[5] then
      """
          + KNOWN_TO_LEAVE
          + """
        if known[1] == '2' then
      """;

  private static final String RAISE_FLOOR =
      """
          local number = sub(record, 1, 16)
          if number > known[2] then
            call('HSET', namespace, 'floor', number)
          end
          call('DEL', key)
          return 'FREED'
        end
      end
      """;

  private static final String LEAVE =
      """
      if call('GET', key) == ARGV[5] then
        call('DEL', key)
        return 'FREED'
      end
      """;

  private RedisRungs() {}

  static List<RedisStep> steps() {
    return List.of(
        step(
            "a script each, which says what it has done; only the owner's deletes",
            Clauses.IDEMPOTENT,
            "if call('SET', key, ARGV[5], 'NX') then return 'granted' end",
            LEAVE),
        step(
            "the session is there",
            Clauses.SESSION,
            SESSION + "if opened and call('SET', key, ARGV[5], 'NX') then return 'granted' end",
            LEAVE),
        step(
            "the namespace's layout, incarnation, guard and floor",
            Clauses.INCARNATION,
            KNOWN
                + SESSION
                + "if opened == known[3] and call('SET', key, ARGV[5], 'NX') then return 'granted' end",
            LEAVE_KNOWN),
        step(
            "by INFO whether the server is the one that gave the earlier grants",
            Clauses.GUARD,
            KNOWN
                + SAME_SERVER
                + SESSION
                + "if is_known and opened == known[3] and call('SET', key, ARGV[5], 'NX') then return 'granted' end",
            LEAVE_KNOWN),
        step(
            "number and time by the clock; the floor is raised when the record goes",
            Clauses.RISING,
            KNOWN + CLOCK + SAME_SERVER + SESSION + TAKE_BY_CLOCK + GRANTED,
            IF_MINE + RAISE_FLOOR),
        step(
            "the names of held locks",
            "`list` tells them",
            KNOWN
                + CLOCK
                + SAME_SERVER
                + SESSION
                + TAKE_BY_CLOCK
                + "call('ZADD', base .. 'held', 0, ARGV[4])\n"
                + GRANTED,
            IF_MINE + "call('ZREM', base .. 'held', ARGV[4])\n" + RAISE_FLOOR),
        new RedisStep(
            "the request's entry in the record: the adapter's own scripts",
            Clauses.RECORD,
            Script.GRAB.text(),
            Script.RELEASE.text(),
            true));
  }

  private static RedisStep step(String adds, String clause, String take, String leave) {
    return new RedisStep(adds, clause, KEYS + take, KEYS + leave, false);
  }
}
