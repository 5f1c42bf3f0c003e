package io.holdfast.redis.script;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Retirement;
import io.holdfast.redis.RedisLockProvider;
import io.holdfast.redis.StoredLock;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.format.Placeholder;
import io.holdfast.tck.format.StoredFormatTck;
import io.holdfast.tck.format.StoredRecord;
import io.holdfast.tck.format.StoredState;
import io.holdfast.testing.redis.RedisServer;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.resps.Tuple;

/** What lies in the keys of Redis. */
@Tag("server")
class RedisFormatTest extends StoredFormatTck {

  private static RedisServer server;

  RedisFormatTest() {
    super("redis", Script.PROTOCOL);
  }

  @BeforeAll
  static void startServer() {
    server = RedisServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected StoredState openState() {
    RedisState state = new RedisState();
    state.clear();
    return state;
  }

  /** All keys of the server. A sorted set has a field for each member, with its score. */
  private static final class RedisState implements StoredState {

    private static final String EXPIRES = "(expires in hours)";
    private static final String BASE = "{golden:0}:";
    private static final String TYPE = "(type)";
    private static final String TIME = "^[1-9][0-9]{15}$";
    private static final String REST = "request and texts";

    private final JedisPooled jedis = new JedisPooled("127.0.0.1", server.port());

    @Override
    public LockBackend connect(BackendOptions options) {
      return new RedisLockProvider()
          .connect(server.uri() + "?prefix=golden", options, Deadline.in(Duration.ofSeconds(30)));
    }

    @Override
    public List<StoredRecord> read() {
      List<StoredRecord> records = new ArrayList<>();
      for (byte[] key : jedis.keys("*".getBytes(StandardCharsets.US_ASCII))) {
        records.add(record(key));
      }
      records.sort(Comparator.comparing(StoredRecord::place));
      return records;
    }

    private StoredRecord record(byte[] key) {
      String type = jedis.type(key);
      StoredRecord stored = StoredRecord.at(key).with(TYPE, type);
      switch (type) {
        case "hash" -> stored = hash(stored, key);
        case "zset" -> stored = sortedSet(stored, key);
        case "string" -> stored = lockRecord(stored, key);
        default -> throw new IllegalStateException("A key of a type that is not known: " + type);
      }
      long millis = jedis.pttl(key);
      long hours = Math.round(millis / (double) Duration.ofHours(1).toMillis());
      return millis < 0 ? stored : stored.with(EXPIRES, Long.toString(hours));
    }

    private StoredRecord hash(StoredRecord empty, byte[] key) {
      StoredRecord stored = empty;
      for (Map.Entry<byte[], byte[]> field :
          jedis.hgetAll(key).entrySet().stream()
              .sorted(Comparator.comparing(field -> text(field.getKey())))
              .toList()) {
        stored = stored.with(text(field.getKey()), field.getValue());
      }
      return stored;
    }

    /** The parts of a lock's record, in order. */
    private StoredRecord lockRecord(StoredRecord empty, byte[] key) {
      StoredRecord stored = empty;
      byte[] record = jedis.get(key);
      int at = 0;
      for (Map.Entry<String, Integer> part : StoredLock.PARTS.entrySet()) {
        int end = Math.min(record.length, at + part.getValue());
        stored = stored.with(part.getKey(), Arrays.copyOfRange(record, at, end));
        at = end;
      }
      return stored.with(REST, Arrays.copyOfRange(record, at, record.length));
    }

    private StoredRecord sortedSet(StoredRecord empty, byte[] key) {
      StoredRecord stored = empty;
      for (Tuple member : jedis.zrangeWithScores(key, 0, -1)) {
        String name = StoredRecord.at(member.getBinaryElement()).place();
        stored = stored.with(name, new BigDecimal(member.getScore()).toPlainString());
      }
      return stored;
    }

    private static String text(byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public List<Placeholder> placeholders() {
      return List.of(
          Placeholder.of("number", ".*:lock:.*", "number", TIME),
          Placeholder.of("time", ".*:lock:.*", "since|from", TIME),
          Placeholder.of("time", ".*:session:.*", "notices", ",([1-9][0-9]{15}),"),
          Placeholder.of("time", ".*:session:.*", "renewed", TIME),
          Placeholder.of("incarnation", ".*:(namespace|session:.*)", "incarnation", "^.+$"),
          Placeholder.of("life", ".*:(namespace|session:.*|lock:.*)", "life", TIME),
          Placeholder.of("floor", ".*:namespace", "floor", TIME),
          Placeholder.of("replid", ".*:namespace", "replid", "^[0-9a-f]{40}$"),
          Placeholder.of("channel", ".*:session:.*", "channel", "[^:]+$"),
          // A server that was started more than a lease ago begins no guard.
          Placeholder.of("guard", ".*:namespace", "guard", "^(?:0{16}|[1-9][0-9]{15})$"));
    }

    @Override
    public void clear() {
      jedis.flushAll();
    }

    @Override
    public void write(List<StoredRecord> records, Map<String, String> values) {
      for (StoredRecord stored : records) {
        byte[] key = stored.placeBytes();
        if (stored.text(TYPE, values).equals("string")) {
          jedis.set(key, joined(stored, values));
          continue;
        }
        boolean isHash = stored.text(TYPE, values).equals("hash");
        for (String field : stored.fields().keySet()) {
          if (field.startsWith("(")) {
            continue;
          }
          if (isHash) {
            jedis.hset(key, field.getBytes(StandardCharsets.UTF_8), stored.bytes(field, values));
          } else {
            double score = Double.parseDouble(stored.text(field, values));
            jedis.zadd(key, score, new StoredRecord(field, Map.of()).placeBytes());
          }
        }
        if (stored.has(EXPIRES)) {
          jedis.expire(
              key, Duration.ofHours(Long.parseLong(stored.text(EXPIRES, values))).toSeconds());
        }
      }
    }

    private static byte[] joined(StoredRecord stored, Map<String, String> values) {
      ByteArrayOutputStream record = new ByteArrayOutputStream();
      for (String part : stored.fields().keySet()) {
        if (!part.equals(TYPE)) {
          record.writeBytes(stored.bytes(part, values));
        }
      }
      return record.toByteArray();
    }

    @Override
    public Optional<Retirement> retire() {
      return Optional.of(
          new RedisLockProvider()
              .retire(server.uri() + "?prefix=golden", Deadline.in(Duration.ofSeconds(30))));
    }

    @Override
    public void lapseSessions() {
      jedis.keys(BASE + "session:*").forEach(key -> jedis.hset(key, "renewed", "1"));
    }

    /** What version 1 did: in one script that first looks at the version. */
    @Override
    public boolean openAsOlderClient(int version) {
      Object opened =
          jedis.eval(
              """
              if redis.call('HGET', KEYS[1], 'protocol') ~= ARGV[1] then
                return 0
              end
              local life, incarnation = unpack(redis.call('HMGET', KEYS[1], 'life', 'incarnation'))
              local time = redis.call('TIME')
              redis.call('HSET', KEYS[2], 'life', life, 'incarnation', incarnation, 'ttl', '60000000',
                'process', 'old:1', 'renewed', time[1] .. string.sub('00000' .. time[2], -6))
              return 1""",
              List.of(BASE + "namespace", BASE + "session:" + SessionId.fresh().value()),
              List.of(Integer.toString(version)));
      return opened.equals(1L);
    }

    @Override
    public long number(LockName name) {
      if (jedis.type(BASE + "lock:" + name).equals("hash")) {
        return Long.parseLong(jedis.hget(BASE + "lock:" + name, "number"));
      }
      String number = jedis.getrange(BASE + "lock:" + name, 17, 32);
      return number.isEmpty() ? 0 : Long.parseLong(number);
    }

    @Override
    public void close() {
      jedis.close();
    }
  }
}
