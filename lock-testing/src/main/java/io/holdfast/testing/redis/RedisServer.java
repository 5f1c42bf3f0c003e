package io.holdfast.testing.redis;

import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.server.StoreServer;
import io.holdfast.tck.server.Tools;
import io.holdfast.testing.server.UnprivilegedUser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A Redis server. Unless told otherwise it writes every change to its disk before it answers, so
 * that a restart loses nothing.
 */
public final class RedisServer extends StoreServer {

  private static final Path ELSEWHERE = Path.of("/usr/local/redis");
  private static final String PACKAGE = "redis-server";

  private final int port = ServerProcess.freePort();
  private final Map<String, String> environment;
  private final List<String> settings;

  private RedisServer(Map<String, String> environment, List<String> settings) {
    super(UnprivilegedUser.preferring("redis").makeDirectory("holdfast-redis-"));
    this.environment = environment;
    this.settings = settings;
  }

  /**
   * Starts a server without data.
   *
   * @param settings as on its command line, such as {@code --maxmemory-policy}, {@code noeviction}
   */
  public static RedisServer launch(String... settings) {
    return launched(new RedisServer(Map.of(), List.of(settings)));
  }

  /**
   * Starts a server without data that goes by a clock of its own.
   *
   * @param settings as on its command line
   */
  public static RedisServer launch(ShiftedClock clock, String... settings) {
    return launched(new RedisServer(clock.environment(), List.of(settings)));
  }

  private static RedisServer launched(RedisServer server) {
    server.startFirst(() -> {});
    return server;
  }

  /** Starts a replica of another server, and returns when it has its data. */
  public static RedisServer replicaOf(RedisServer master, String... settings) {
    return replicaOf(master.port, settings);
  }

  /** Starts a replica of the server that it reaches at a port, and returns when it has its data. */
  public static RedisServer replicaOf(int masterPort, String... settings) {
    String[] all =
        Stream.concat(
                Stream.of(
                    "--replicaof", "127.0.0.1 " + masterPort, "--repl-diskless-sync-delay", "0"),
                Stream.of(settings))
            .toArray(String[]::new);
    RedisServer replica = launch(all);
    try {
      replica
          .running()
          .awaitReady(
              () -> replica.command("INFO", "replication").contains("master_link_status:up"));
    } catch (RuntimeException | Error e) {
      replica.close();
      throw e;
    }
    return replica;
  }

  static Path program(String name) {
    return Tools.find("redis-server", ELSEWHERE, PACKAGE).resolveSibling(name);
  }

  @Override
  protected String shutdownSignal() {
    return "TERM";
  }

  @Override
  public void start() {
    start(new String[0]);
  }

  /**
   * Starts it with the data that is there, and returns when it answers.
   *
   * @param more settings for this life of it
   */
  public void start(String... more) {
    List<String> command = new ArrayList<>();
    command.add(program("redis-server").toString());
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.addAll(List.of("--dir", Tools.makeDirectory(data()).toString()));
    command.addAll(List.of("--save", "", "--appendonly", "yes", "--appendfsync", "always"));
    command.addAll(settings);
    command.addAll(List.of(more));
    run(command, environment).awaitReady(() -> isReady(command("PING")));
  }

  /** A server that asks for a password is ready too. */
  private static boolean isReady(String answer) {
    return answer.equals("PONG") || answer.startsWith("NOAUTH");
  }

  /** Sends a command and returns what it answers, as text for people. */
  public String command(String... command) {
    return SingleCommand.send(port, command);
  }

  /**
   * Does the last writes and then goes on without them, as after a restart from an old snapshot;
   * and in this life it does not claim to lose nothing.
   */
  public void restoreWithout(Runnable lastWrites) {
    Path copy = directory().resolve("copy");
    Tools.delete(copy);
    pause();
    Tools.run(List.of("cp", "-R", data().toString(), copy.toString()));
    resume();
    lastWrites.run();
    kill();
    Tools.delete(data());
    Tools.run(List.of("mv", copy.toString(), data().toString()));
    start("--appendfsync", "everysec");
  }

  /** Returns the port on which it listens. */
  public int port() {
    return port;
  }

  /** Returns its URI. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }
}
