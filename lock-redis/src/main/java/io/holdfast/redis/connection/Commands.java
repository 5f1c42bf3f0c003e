package io.holdfast.redis.connection;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Commands to a server, and the answers of several. */
final class Commands {

  private Commands() {}

  /**
   * Uses {@code add(Object)}, the only method to add an argument that all versions of jedis have.
   */
  static CommandArguments command(Command command, Object... arguments) {
    CommandArguments all = new CommandArguments(command);
    for (Object argument : arguments) {
      all.add(argument);
    }
    return all;
  }

  /** Sends commands in one round trip. Answers contain refusals as errors. */
  static List<@Nullable Object> ask(Connection connection, List<CommandArguments> commands) {
    for (CommandArguments command : commands) {
      connection.sendCommand(command);
    }
    List<@Nullable Object> answers = new ArrayList<>();
    while (answers.size() < commands.size()) {
      answers.add(answer(connection, answers));
    }
    return answers;
  }

  /** A server that refuses a connection says so once, after any command, and closes it. */
  private static @Nullable Object answer(Connection connection, List<@Nullable Object> before) {
    try {
      return connection.getOne();
    } catch (JedisDataException e) {
      return e;
    } catch (JedisConnectionException e) {
      throw !before.isEmpty() && before.get(0) instanceof JedisDataException refusal
          ? new JedisConnectionException(refusal.getMessage(), e)
          : e;
    }
  }
}
