package io.holdfast.testing.mariadb;

import io.holdfast.tck.server.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The data of a MariaDB server that was never started: made once in a JVM, copied for each. */
final class MariaTemplate {

  /**
   * Each server that starts opens the table of positions. In InnoDB, after a kill, one was seen to
   * wait for ever for the purge of dropped tables, as the purge did for it.
   */
  private static final String MORE =
      """
      CREATE DATABASE app;
      ALTER TABLE mysql.gtid_slave_pos ENGINE=Aria;
      """;

  private static final Path DATA = make();

  private MariaTemplate() {}

  static void copyTo(Path data) {
    Tools.run(MariaServer.USER.command(List.of("cp", "-R", DATA.toString(), data.toString())));
  }

  private static Path make() {
    Path directory = MariaServer.USER.makeDirectory("holdfast-mariadb-template-");
    Path data = directory.resolve("data");
    List<String> command = new ArrayList<>();
    command.add(MariaServer.program("mariadb-install-db").toString());
    // Each server that starts deletes what looks like a temporary table in the directory for them.
    command.addAll(List.of("--no-defaults", "--datadir=" + data, "--tmpdir=" + directory));
    command.add("--skip-test-db");
    command.add("--auth-root-authentication-method=normal");
    command.add("--extra-file=" + script(directory));
    command.addAll(MariaServer.SMALL);
    Tools.run(MariaServer.USER.command(command));
    return data;
  }

  private static Path script(Path directory) {
    try {
      return Files.writeString(directory.resolve("more.sql"), MORE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
