package io.holdfast.tck.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server with data of its own, on a free port of 127.0.0.1 which it keeps over restarts.
 * Unless told otherwise it writes every change to its disk before it answers, so that a restart
 * loses nothing. Used by one thread at a time.
 */
public final class RedisServer implements AutoCloseable {

  private static final Path ELSEWHERE = Path.of("/usr/local/redis");
  private static final String PACKAGE = "redis-server";

  /** Shuts down in an orderly way. */
  private static final String ORDERLY = "TERM";

  private final Path directory = PlainUser.preferring("redis").makeDirectory("holdfast-redis-");
  private final int port = ServerProcess.freePort();
  private final List<String> settings;
  private @Nullable ServerProcess process;

  private RedisServer(List<String> settings) {
    this.settings = settings;
  }

  /**
   * Starts a server without data.
   *
   * @param settings as on its command line, such as {@code --maxmemory-policy}, {@code noeviction}
   */
  public static RedisServer launch(String... settings) {
    RedisServer server = new RedisServer(List.of(settings));
    try {
      server.start();
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
    return server;
  }

  /** Starts a replica of another server, and returns when it has its data. */
  public static RedisServer replicaOf(RedisServer master, String... settings) {
    String[] all =
        Stream.concat(
                Stream.of(
                    "--replicaof", "127.0.0.1 " + master.port, "--repl-diskless-sync-delay", "0"),
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

  private Path data() {
    return directory.resolve("data");
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
    ServerProcess started = ServerProcess.start(command, directory.resolve("server.log"));
    process = started;
    started.awaitReady(() -> isReady(command("PING")));
  }

  /** Whoever asks for a password is ready too. */
  private static boolean isReady(String answer) {
    return answer.equals("PONG") || answer.startsWith("NOAUTH");
  }

  /** Sends a command and returns what it answers, as text for people. */
  public String command(String... command) {
    return ask(port, command);
  }

  static String ask(int port, String... command) {
    List<String> all = new ArrayList<>();
    all.add(program("redis-cli").toString());
    all.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(port)));
    all.addAll(List.of(command));
    return Tools.printed(all);
  }

  /** Shuts it down in an orderly way, and returns when it is gone. */
  public void stop() {
    running().end(ORDERLY);
    running().close();
  }

  /** Shuts it down in an orderly way and starts it with its data. */
  public void restart() {
    stop();
    start();
  }

  /** Kills it with SIGKILL and starts it without its data. */
  public void restartEmpty() {
    kill();
    Tools.delete(data());
    start();
  }

  /**
   * Does the last writes and then goes on without them, as after a restart from an old snapshot;
   * and in this life it does not claim to lose nothing.
   */
  public void restoreWithout(Runnable lastWrites) {
    Path copy = directory.resolve("copy");
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

  /** Kills it with SIGKILL, and returns when it is gone. */
  public void kill() {
    running().close();
  }

  /** Stops it with SIGSTOP. */
  public void pause() {
    running().pause();
  }

  /** Lets it run again with SIGCONT. */
  public void resume() {
    running().resume();
  }

  private ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException("The server was not started.");
    }
    return process;
  }

  /** Returns the port on which it listens. */
  public int port() {
    return port;
  }

  /** Returns its URI. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Kills it and deletes its data. */
  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
    Tools.delete(directory);
  }
}
