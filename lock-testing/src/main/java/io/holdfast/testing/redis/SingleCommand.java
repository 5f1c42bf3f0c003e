package io.holdfast.testing.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Commands that are sent one by one, each over a connection of its own. */
final class SingleCommand {

  private static final int ANSWERED_WITHIN_MILLIS = 60_000;

  private SingleCommand() {}

  /**
   * Sends a command to a server of this machine, and returns the answer as text for people: each
   * element of a list on a line of its own, nothing for a null, and for a failure its message.
   */
  static String send(int port, String... command) {
    DefaultJedisClientConfig timeouts =
        DefaultJedisClientConfig.builder().timeoutMillis(ANSWERED_WITHIN_MILLIS).build();
    byte[] name = command[0].getBytes(StandardCharsets.UTF_8);
    String[] arguments = Arrays.copyOfRange(command, 1, command.length);
    try (Jedis server = new Jedis(new HostAndPort("127.0.0.1", port), timeouts)) {
      return text(server.sendCommand(() -> name, arguments)).strip();
    } catch (JedisDataException refused) {
      return String.valueOf(refused.getMessage());
    } catch (JedisException failure) {
      return failure + ", " + Arrays.toString(failure.getSuppressed()) + failure.getCause();
    }
  }

  private static String text(@Nullable Object answer) {
    if (answer instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    if (answer instanceof List<?> list) {
      return list.stream().map(SingleCommand::text).collect(Collectors.joining("\n"));
    }
    return answer == null ? "" : answer.toString();
  }
}
