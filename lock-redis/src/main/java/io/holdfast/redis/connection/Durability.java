package io.holdfast.redis.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.spi.Deadline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Whether a server writes changes to its disk before it answers. Scripts cannot read that setting,
 * so it is an argument of each script.
 *
 * @param process the run_id of the server that was asked; empty if none was
 * @param syncs whether every change is on the disk before the server answers
 */
record Durability(String process, boolean syncs) {

  static final Durability UNKNOWN = new Durability("", false);

  /** The errors of a server that may tell its settings later. */
  private static final List<String> NOT_NOW = List.of("LOADING", "BUSY", "MASTERDOWN");

  private static final Pattern PROCESS = Pattern.compile("run_id:([0-9a-f]+)");

  /**
   * Asks the server, in one round trip. Asks for the process before and after the setting, because
   * a proxy may lead the connection to another server between two commands.
   *
   * @param besides what the server is sent in the same round trip; it may refuse that
   */
  static Durability of(
      ServerConnection connection, Deadline deadline, CommandArguments... besides) {
    List<CommandArguments> commands =
        new ArrayList<>(
            List.of(
                Commands.command(Command.INFO, "server"),
                Commands.command(Command.CONFIG, "GET", "*appendfsync*"),
                Commands.command(Command.INFO, "server")));
    commands.addAll(List.of(besides));
    List<?> answers = connection.ask(deadline, commands);
    String process = process(answers.get(0));
    return process.equals(process(answers.get(2)))
        ? new Durability(process, syncs(answers.get(1)))
        : UNKNOWN;
  }

  private static String process(@Nullable Object info) {
    if (info instanceof JedisDataException refused) {
      throw refused;
    }
    Matcher matcher = PROCESS.matcher(text(info));
    return matcher.find() ? matcher.group(1) : "";
  }

  /**
   * Returns false if the server does not tell: CONFIG is forbidden or renamed, or refused in words
   * of its own, as by services and proxies.
   */
  private static boolean syncs(@Nullable Object config) {
    if (config instanceof JedisDataException refused
        && NOT_NOW.stream().anyMatch(word -> RedisErrors.says(refused, word))) {
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
