package io.holdfast.testing.redis;

import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.Tools;
import io.holdfast.testing.server.UnprivilegedUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Sentinel that watches one Redis server, on a free port of 127.0.0.1, and has a replica promoted
 * by itself when the server has gone and it is told to notice. Used by one thread at a time.
 */
public final class RedisSentinel implements AutoCloseable {

  /** Its name for the server. */
  public static final String MASTER = "main";

  /** A server, or a proxy before it, that stands still for as long has not failed. */
  private static final String UNNOTICED_MILLIS = "600000";

  private static final String NOTICED_MILLIS = "1000";

  private final Path directory =
      UnprivilegedUser.preferring("redis").makeDirectory("holdfast-sentinel-");
  private final int port = ServerProcess.freePort();
  private @Nullable ServerProcess process;

  private RedisSentinel() {}

  /** Starts it, and returns when it knows the server's one replica. */
  public static RedisSentinel watching(RedisServer master) {
    return watching(master.port());
  }

  /** The same for the server that it reaches at a port. */
  public static RedisSentinel watching(int masterPort) {
    RedisSentinel sentinel = new RedisSentinel();
    try {
      sentinel.start(masterPort);
    } catch (RuntimeException | Error e) {
      sentinel.close();
      throw e;
    }
    return sentinel;
  }

  private void start(int masterPort) {
    Path file = directory.resolve("sentinel.conf");
    List<String> lines =
        List.of(
            "port " + port,
            "bind 127.0.0.1",
            "dir " + directory,
            "sentinel monitor %s 127.0.0.1 %d 1".formatted(MASTER, masterPort),
            "sentinel down-after-milliseconds %s %s".formatted(MASTER, UNNOTICED_MILLIS),
            "sentinel failover-timeout %s 10000".formatted(MASTER));
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ServerProcess started =
        ServerProcess.start(
            List.of(RedisServer.program("redis-server").toString(), file.toString(), "--sentinel"),
            directory.resolve("sentinel.log"));
    process = started;
    started.awaitReady(() -> command("SENTINEL", "REPLICAS", MASTER).contains("slave-repl-offset"));
    // A replica of which it has not heard for five seconds is passed over, and tried in 20 again.
    order("SENTINEL", "DEBUG", "INFO-PERIOD", "1000");
    // When it was paused itself for two seconds, it would promote no replica for half a minute.
    order("SENTINEL", "DEBUG", "TILT-TRIGGER", UNNOTICED_MILLIS);
  }

  /**
   * From now on takes a server for failed that is silent for a second. To be called when it has
   * gone: before that, the machine may stand still for as long.
   */
  public void noticeFailures() {
    order("SENTINEL", "SET", MASTER, "down-after-milliseconds", NOTICED_MILLIS);
  }

  /** From now on takes no server for failed, as at first. */
  public void overlookFailures() {
    order("SENTINEL", "SET", MASTER, "down-after-milliseconds", UNNOTICED_MILLIS);
  }

  private void order(String... command) {
    String answer = command(command);
    if (!answer.equals("OK")) {
      throw new IllegalStateException(String.join(" ", command) + " failed: " + answer);
    }
  }

  /** Sends a command and returns what it answers, as text for people. */
  public String command(String... command) {
    return SingleCommand.send(port, command);
  }

  /** Returns the port on which it listens. */
  public int port() {
    return port;
  }

  /** Returns the URI of the server that it watches, whichever that is. */
  public String uri() {
    return "redis-sentinel://127.0.0.1:%d/%s".formatted(port, MASTER);
  }

  /** Kills it. */
  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
    Tools.delete(directory);
  }
}
