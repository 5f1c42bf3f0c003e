package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Administrators make the tables from a page: it shows the statements that run. */
class DdlInDocsTest {

  @ParameterizedTest
  @CsvSource({
    "jdbc:sqlite:locks.db, sqlite.md",
    "jdbc:postgresql://db/app, postgresql.md",
    "jdbc:mariadb://db/app, mariadb.md",
    "jdbc:h2:tcp://db/app, h2.md"
  })
  void aPageShowsTheTablesAsTheyAreMade(String uri, String page) {
    String ddl = new JdbcLockProvider().ddl(uri).orElseThrow();

    assertThat(Path.of("..", "docs", "backends", page)).content().contains(ddl);
  }
}
