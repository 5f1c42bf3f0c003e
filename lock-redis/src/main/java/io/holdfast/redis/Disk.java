package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.spi.Deadline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What a server was found to do with its disk. Scripts cannot ask for it, so they are told.
 *
 * @param process of the server that was asked; empty if none was
 * @param syncs whether every change is on the disk before it is answered
 */
record Disk(String process, boolean syncs) {

  static final Disk UNKNOWN = new Disk("", false);

  private static final Pattern PROCESS = Pattern.compile("run_id:([0-9a-f]+)");

  /**
   * Asks, in one flight. Which process it is is asked before and after: a proxy may lead a
   * connection to another server between two commands.
   */
  static Disk of(Link link, Deadline deadline) {
    List<?> answers =
        link.ask(
            deadline,
            Link.command(Command.INFO, "server"),
            Link.command(Command.CONFIG, "GET", "*appendfsync*"),
            Link.command(Command.INFO, "server"));
    String process = process(answers.get(0));
    return process.equals(process(answers.get(2)))
        ? new Disk(process, syncs(answers.get(1)))
        : UNKNOWN;
  }

  private static String process(@Nullable Object info) {
    if (info instanceof JedisDataException refused) {
      throw refused;
    }
    Matcher matcher = PROCESS.matcher(text(info));
    return matcher.find() ? matcher.group(1) : "";
  }

  /** Where the server does not tell, because that is not allowed or was renamed, it does not. */
  private static boolean syncs(@Nullable Object config) {
    if (config instanceof JedisDataException refused
        && !(refused instanceof JedisAccessControlException)
        && !String.valueOf(refused.getMessage()).contains("unknown command")) {
      throw refused;
    }
    Map<String, String> settings = new HashMap<>();
    if (config instanceof List<?> pairs) {
      for (int i = 0; i + 1 < pairs.size(); i += 2) {
        settings.put(text(pairs.get(i)), text(pairs.get(i + 1)));
      }
    }
    return "always".equals(settings.get("appendfsync"))
        && "no".equals(settings.get("no-appendfsync-on-rewrite"));
  }

  private static String text(@Nullable Object value) {
    return value instanceof byte[] bytes ? new String(bytes, UTF_8) : "";
  }
}
