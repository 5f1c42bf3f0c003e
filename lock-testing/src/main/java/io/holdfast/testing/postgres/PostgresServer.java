package io.holdfast.testing.postgres;

import static org.awaitility.Awaitility.await;

import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.server.Tools;
import io.holdfast.testing.server.DatabaseServer;
import io.holdfast.testing.server.UnprivilegedUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A PostgreSQL server. Lets every client in as {@code postgres}, without a password. */
public final class PostgresServer extends DatabaseServer {

  static final UnprivilegedUser USER = UnprivilegedUser.preferring("postgres");

  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final String PACKAGE = "postgresql";
  private static final int SEGMENT_LINE = 7;
  private static final Duration WITHIN = Duration.ofSeconds(60);

  private final Map<String, String> environment;
  private final List<String> settings;

  private PostgresServer(int port, Map<String, String> environment, List<String> settings) {
    super(USER, "postgres", port, environment);
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

  /**
   * Starts a server with an empty database whose data is no copy: only such a server has another
   * system identifier than all others.
   */
  public static PostgresServer launchAnotherCluster() {
    PostgresServer server = new PostgresServer(ServerProcess.freePort(), Map.of(), List.of());
    server.startFirst(() -> PostgresTemplate.makeAnother(server.data()));
    return server;
  }

  private PostgresServer launched() {
    startFirst(this::makeData);
    return this;
  }

  @Override
  protected void makeData() {
    PostgresTemplate.copyTo(data());
  }

  /**
   * Starts a replica of this one, with the same clock and settings, which follows it and can be
   * read.
   *
   * @param replicaPort on which it listens
   */
  public PostgresServer replicate(int replicaPort) {
    PostgresServer replica = new PostgresServer(replicaPort, environment, settings);
    replica.startFirst(
        () ->
            Tools.run(
                USER.command(
                    List.of(
                        program("pg_basebackup").toString(),
                        "--pgdata=" + replica.data(),
                        "--host=127.0.0.1",
                        "--port=" + port(),
                        "--username=postgres",
                        "--checkpoint=fast",
                        "--write-recovery-conf",
                        "--no-sync"))));
    return replica;
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
  public String sql(String statement) {
    return Tools.run(
        List.of(
            program("psql").toString(),
            "-XqAt",
            "-v",
            "ON_ERROR_STOP=1",
            database(),
            "-c",
            statement));
  }

  /** Writes a schema of its database to a file, with what it holds now. */
  public void dump(String schema, Path file) {
    Tools.run(
        List.of(
            program("pg_dump").toString(),
            "--format=custom",
            "--schema=" + schema,
            "--file=" + file,
            database()));
  }

  /** Makes the schema that was written to a file again. */
  public void restore(Path file) {
    Tools.run(
        List.of(
            program("pg_restore").toString(),
            "--exit-on-error",
            "--clean",
            "--if-exists",
            "--dbname=" + database(),
            file.toString()));
  }

  private String database() {
    return uri().substring("jdbc:".length());
  }

  static Path program(String name) {
    return Tools.find("postgres", VERSIONS, PACKAGE).resolveSibling(name);
  }

  @Override
  protected List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(program("postgres").toString());
    command.addAll(List.of("-D", data().toString(), "-p", Integer.toString(port())));
    // Losses of the system are not tested here, only those of the server.
    command.addAll(List.of("-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"));
    command.addAll(List.of("-c", "unix_socket_directories="));
    // Segments lie among its data, and go with it.
    command.addAll(List.of("-c", "dynamic_shared_memory_type=mmap"));
    // Rules run side by side, each with several clients, each with its pools.
    command.addAll(List.of("-c", "max_connections=1500"));
    settings.forEach(setting -> command.addAll(List.of("-c", setting)));
    return command;
  }

  @Override
  protected boolean isReady() {
    return Tools.succeeds(
        List.of(
            program("pg_isready").toString(),
            "-q",
            "-h",
            "127.0.0.1",
            "-p",
            Integer.toString(port())));
  }

  /** The segment of System V by which a process knows that another one has the same data. */
  @Override
  protected void clearAfterKill() {
    segment().ifPresent(id -> Tools.run(List.of("ipcrm", "--shmem-id", id)));
  }

  /** Returns the id of its segment, which its lock file names until it is shut down. */
  public Optional<String> segment() {
    Path lockFile = data().resolve("postmaster.pid");
    if (!Files.exists(lockFile)) {
      return Optional.empty();
    }
    try {
      return Files.readAllLines(lockFile).stream()
          .skip(SEGMENT_LINE - 1)
          .findFirst()
          .map(keyAndId -> keyAndId.strip().split("\\s+", -1)[1]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A fast shutdown. */
  @Override
  protected String shutdownSignal() {
    return "INT";
  }

  @Override
  public String uri() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres".formatted(port());
  }
}
