package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.UnifiedJedis;

/** The times in the keys of locks, for tests that move them. See {@code layout.lua}. */
public final class StoredLock {

  private static final int SINCE = 33;
  private static final int ENTRY = 65;
  private static final int STAY_FROM = 2;
  private static final int DIGITS = 16;
  private static final Pattern NOTICE = Pattern.compile("([^,;]+),([0-9]+),([0-9]+);");

  /** The parts of a record that have a fixed length, in order. */
  public static final Map<String, Integer> PARTS = parts();

  private StoredLock() {}

  private static Map<String, Integer> parts() {
    Map<String, Integer> parts = new LinkedHashMap<>();
    parts.put("flag", 1);
    List.of("head", "number", "since", "life").forEach(part -> parts.put(part, DIGITS));
    parts.put("mode", 1);
    parts.put("stay", 1);
    List.of("from", "for", "delay").forEach(part -> parts.put(part, DIGITS));
    parts.put("bytes of the process", 3);
    parts.put("bytes of the reason", 4);
    return parts;
  }

  /** Moves a time, unless it is none. */
  public static String moved(String time, long micros) {
    long then = Long.parseLong(time);
    return then == 0 ? time : "%016d".formatted(then + micros);
  }

  private static String moved(String text, int at, long micros) {
    return text.substring(0, at)
        + moved(text.substring(at, at + DIGITS), micros)
        + text.substring(at + DIGITS);
  }

  static void move(UnifiedJedis jedis, String key, long micros) {
    byte[] name = key.getBytes(UTF_8);
    String record = moved(new String(jedis.get(name), ISO_8859_1), SINCE, micros);
    if (record.length() > ENTRY) {
      record = moved(record, ENTRY + STAY_FROM, micros);
    }
    jedis.set(name, record.getBytes(ISO_8859_1));
  }

  static void moveEntries(UnifiedJedis jedis, String key, long micros) {
    byte[] name = key.getBytes(UTF_8);
    for (Map.Entry<byte[], byte[]> entry : jedis.hgetAll(name).entrySet()) {
      String text = moved(new String(entry.getValue(), ISO_8859_1), STAY_FROM, micros);
      jedis.hset(name, entry.getKey(), text.getBytes(ISO_8859_1));
    }
  }

  static void moveNotices(UnifiedJedis jedis, String session, long micros) {
    String notices = jedis.hget(session, "notices");
    if (notices != null) {
      Matcher notice = NOTICE.matcher(notices);
      jedis.hset(
          session,
          "notices",
          notice.replaceAll(
              each ->
                  each.group(1) + ',' + moved(each.group(2), micros) + ',' + each.group(3) + ';'));
    }
  }
}
