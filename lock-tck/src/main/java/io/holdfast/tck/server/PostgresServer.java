package io.holdfast.tck.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server with data of its own, on a free port of 127.0.0.1 which it keeps over
 * restarts. Lets everybody in as {@code postgres}, without a password. Used by one thread at a
 * time.
 */
public final class PostgresServer implements AutoCloseable {

  static final PlainUser USER = PlainUser.preferring("postgres");

  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final String PACKAGE = "postgresql";

  /** Shuts down without waiting for the clients, and loses nothing. */
  private static final String FAST = "INT";

  private final Path directory = USER.makeDirectory("holdfast-postgres-");
  private final int port = ServerProcess.freePort();
  private final List<String> settings;
  private @Nullable ServerProcess process;

  private PostgresServer(List<String> settings) {
    this.settings = settings;
  }

  /**
   * Starts a server with an empty database.
   *
   * @param settings each as in {@code max_connections=20}
   */
  public static PostgresServer launch(String... settings) {
    PostgresServer server = new PostgresServer(List.of(settings));
    try {
      PostgresTemplate.copyTo(server.data());
      server.start();
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
    return server;
  }

  private Path data() {
    return directory.resolve("data");
  }

  static Path program(String name) {
    return Tools.find("postgres", VERSIONS, PACKAGE).resolveSibling(name);
  }

  /** Starts it with the data that is there, and returns when it answers. */
  public void start() {
    List<String> command = new ArrayList<>();
    command.add(program("postgres").toString());
    command.addAll(List.of("-D", data().toString(), "-p", Integer.toString(port)));
    // What the system loses is not tested here, only what the server does.
    command.addAll(List.of("-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"));
    command.addAll(List.of("-c", "unix_socket_directories="));
    // For a restored one: there is no more to restore, and it is not ready before it may write.
    command.addAll(List.of("-c", "restore_command=false", "-c", "hot_standby=off"));
    settings.forEach(setting -> command.addAll(List.of("-c", setting)));
    ServerProcess started =
        ServerProcess.start(USER.command(command), directory.resolve("server.log"));
    process = started;
    List<String> ask =
        List.of(
            program("pg_isready").toString(),
            "-q",
            "-h",
            "127.0.0.1",
            "-p",
            Integer.toString(port));
    started.awaitReady(() -> Tools.succeeds(ask));
  }

  /** Shuts it down in an orderly way, and returns when it is gone. */
  public void stop() {
    running().end(FAST);
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
    PostgresTemplate.copyTo(data());
    start();
  }

  /**
   * Does the last writes and then goes on without them, on a new timeline: restored from a copy of
   * before, as from a backup or a replica that had not received them.
   */
  public void restoreWithout(Runnable lastWrites) {
    Path copy = directory.resolve("copy");
    Tools.delete(copy);
    // What lies on disk while nothing runs is what would be there after a crash.
    pause();
    Tools.run(USER.command(List.of("cp", "-R", data().toString(), copy.toString())));
    resume();
    lastWrites.run();
    kill();
    Tools.delete(data());
    Tools.run(USER.command(List.of("mv", copy.toString(), data().toString())));
    Tools.run(USER.command(List.of("rm", data().resolve("postmaster.pid").toString())));
    Tools.run(USER.command(List.of("touch", data().resolve("recovery.signal").toString())));
    start();
  }

  /** Kills it with SIGKILL, and returns when it is gone. */
  public void kill() {
    running().close();
  }

  /** Stops all of its processes with SIGSTOP. */
  public void pause() {
    running().pause();
  }

  /** Lets them run again with SIGCONT. */
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

  /** Returns the URI of its database, to which parameters may be appended with an ampersand. */
  public String uri() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres".formatted(port);
  }

  /** Returns what it has printed. */
  public String printed() {
    return running().printed();
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
