package io.holdfast.tck.server;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private static final Duration WITHIN = Duration.ofSeconds(60);

  /** Shuts down without waiting for the clients, and loses nothing. */
  private static final String FAST = "INT";

  private final Path directory = USER.makeDirectory("holdfast-postgres-");
  private final int port;
  private final Map<String, String> environment;
  private final List<String> settings;
  private @Nullable ServerProcess process;

  private PostgresServer(int port, Map<String, String> environment, List<String> settings) {
    this.port = port;
    this.environment = environment;
    this.settings = settings;
  }

  /**
   * Starts a server with an empty database.
   *
   * @param settings each as in {@code max_connections=20}
   */
  public static PostgresServer launch(String... settings) {
    return new PostgresServer(ServerProcess.freePort(), Map.of(), List.of(settings)).launched();
  }

  /**
   * Starts a server with an empty database that goes by a clock of its own.
   *
   * @param settings each as in {@code max_connections=20}
   */
  public static PostgresServer launch(ShiftedClock clock, String... settings) {
    return new PostgresServer(ServerProcess.freePort(), clock.environment(), List.of(settings))
        .launched();
  }

  private PostgresServer launched() {
    return startedWith(() -> PostgresTemplate.copyTo(data()));
  }

  private PostgresServer startedWith(Runnable makeData) {
    try {
      makeData.run();
      start();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
    return this;
  }

  /**
   * Starts a replica of this one, with the same clock and settings, which follows it and can be
   * read.
   *
   * @param replicaPort on which it listens
   */
  public PostgresServer replicate(int replicaPort) {
    PostgresServer replica = new PostgresServer(replicaPort, environment, settings);
    return replica.startedWith(
        () ->
            Tools.run(
                USER.command(
                    List.of(
                        program("pg_basebackup").toString(),
                        "--pgdata=" + replica.data(),
                        "--host=127.0.0.1",
                        "--port=" + port,
                        "--username=postgres",
                        "--checkpoint=fast",
                        "--write-recovery-conf",
                        "--no-sync"))));
  }

  /**
   * Cuts a replica of this one off, when it has received all that was answered so far: what this
   * one answers from now on is not there.
   */
  public void abandon(PostgresServer replica) {
    String written = sql("SELECT pg_current_wal_lsn()");
    await("the replica to have received everything")
        .atMost(WITHIN)
        .until(
            () ->
                sql("SELECT 1 FROM pg_stat_replication WHERE flush_lsn >= '%s'".formatted(written))
                    .equals("1"));
    replica.sql("ALTER SYSTEM SET primary_conninfo = ''");
    replica.sql("SELECT pg_reload_conf()");
    await("the replica to be cut off")
        .atMost(WITHIN)
        .until(() -> sql("SELECT 1 FROM pg_stat_replication").isEmpty());
  }

  /** Makes a replica a primary, on a new timeline, and returns when it can be written to. */
  public void promote() {
    sql("SELECT pg_promote()");
  }

  /** Executes a statement as its superuser and returns what it prints. */
  String sql(String statement) {
    return Tools.run(
        List.of(
            program("psql").toString(),
            "-XqAt",
            "-v",
            "ON_ERROR_STOP=1",
            uri().substring("jdbc:".length()),
            "-c",
            statement));
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
    settings.forEach(setting -> command.addAll(List.of("-c", setting)));
    ServerProcess started =
        ServerProcess.start(USER.command(command), directory.resolve("server.log"), environment);
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
