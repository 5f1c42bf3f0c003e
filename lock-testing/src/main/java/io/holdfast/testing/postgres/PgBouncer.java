package io.holdfast.testing.postgres;

import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.Tools;
import io.holdfast.testing.server.UnprivilegedUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A proxy before a PostgreSQL server that hands its connections on after each transaction. */
public final class PgBouncer implements AutoCloseable {

  private static final UnprivilegedUser USER = UnprivilegedUser.preferring("postgres");

  private final Path directory = USER.makeDirectory("holdfast-pgbouncer-");
  private final int port = ServerProcess.freePort();
  private final ServerProcess process;

  private PgBouncer(PostgresServer server) {
    try {
      Files.writeString(directory.resolve("users.txt"), "\"postgres\" \"\"\n");
      Path settings = settings(server);
      process =
          ServerProcess.start(
              USER.command(List.of(program(), settings.toString())),
              directory.resolve("server.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path settings(PostgresServer server) throws IOException {
    return Files.writeString(
        directory.resolve("pgbouncer.ini"),
        """
        [databases]
        * = host=127.0.0.1 port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = trust
        auth_file = %s
        admin_users = postgres
        pool_mode = transaction
        server_login_retry = 1
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(server.port(), port, directory.resolve("users.txt")));
  }

  /** Leads its clients to another server, over the connections that they have. */
  public void switchTo(PostgresServer server) {
    try {
      settings(server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (String order : List.of("RELOAD", "RECONNECT")) {
      Tools.run(
          List.of(
              PostgresServer.program("psql").toString(),
              "-XqAt",
              "-v",
              "ON_ERROR_STOP=1",
              "postgresql://postgres@127.0.0.1:%d/pgbouncer".formatted(port),
              "-c",
              order));
    }
  }

  /** Starts one, and returns when it answers. */
  public static PgBouncer before(PostgresServer server) {
    PgBouncer proxy = new PgBouncer(server);
    try {
      List<String> ask =
          List.of(
              PostgresServer.program("pg_isready").toString(),
              "-q",
              "-h",
              "127.0.0.1",
              "-p",
              Integer.toString(proxy.port));
      proxy.process.awaitReady(() -> Tools.succeeds(ask));
      return proxy;
    } catch (RuntimeException | Error e) {
      proxy.close();
      throw e;
    }
  }

  private static String program() {
    return Tools.find("pgbouncer", Path.of("/usr/sbin"), "pgbouncer").toString();
  }

  /** Returns the URI of the server's database through it. */
  public String uri() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres&prepareThreshold=0"
        .formatted(port);
  }

  /** Kills it. */
  @Override
  public void close() {
    process.close();
    Tools.delete(directory);
  }
}
