package io.holdfast.testing.postgres;

import io.holdfast.tck.server.Tools;
import java.nio.file.Path;
import java.util.List;

/**
 * The data of a PostgreSQL server that was never started: made once in a JVM, copied for each. The
 * copies are one cluster to PostgreSQL, with one system identifier.
 */
final class PostgresTemplate {

  private static final Path DATA = make();

  private PostgresTemplate() {}

  static void copyTo(Path data) {
    Tools.run(PostgresServer.USER.command(List.of("cp", "-R", DATA.toString(), data.toString())));
  }

  private static Path make() {
    Path directory = PostgresServer.USER.makeDirectory("holdfast-postgres-template-");
    Path data = directory.resolve("data");
    makeAnother(data);
    return data;
  }

  /** Makes the data of a cluster with a system identifier of its own. */
  static void makeAnother(Path data) {
    Tools.run(
        PostgresServer.USER.command(
            List.of(
                PostgresServer.program("initdb").toString(),
                "--pgdata=" + data,
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--wal-segsize=1",
                "--no-sync",
                "--no-instructions")));
  }
}
