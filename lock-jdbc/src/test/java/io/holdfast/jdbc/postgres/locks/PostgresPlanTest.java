package io.holdfast.jdbc.postgres.locks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.connections.NamedSql;
import io.holdfast.jdbc.database.TablePrefix;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.postgres.PostgresDialect;
import io.holdfast.spi.LockBackend;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How the server goes about statements where there are many names. */
class PostgresPlanTest extends OnPostgres {

  private static final String FILL =
      """
      INSERT INTO holdfast_locks (name, number, since, given_in, mode, holder, process, why, payload)
      SELECT convert_to(tenant || '/' || i, 'UTF8'), i, i, '', 'x', md5(tenant || '-' || i) || '-1',
             'p', '', ''
      FROM generate_series(1, 200) tenant, generate_series(1, 100) i""";

  private static final Map<String, Object> OF_ONE_TENANT =
      Map.of("low", "77/".getBytes(UTF_8), "high", new byte[] {'7', '7', '/', -1}, "limit", 1000);

  private List<String> plan(String text, Map<String, Object> parameters) throws SQLException {
    NamedSql sql = NamedSql.of(new PostgresDialect().render("EXPLAIN " + text, TablePrefix.USUAL));
    try (Connection connection = DriverManager.getConnection(schema.uri());
        Statement generic = connection.createStatement();
        PreparedStatement statement = connection.prepareStatement(sql.jdbc())) {
      generic.execute("SET plan_cache_mode = force_generic_plan");
      for (int i = 0; i < sql.parameters().size(); i++) {
        statement.setObject(i + 1, parameters.get(sql.parameters().get(i)));
      }
      List<String> lines = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          lines.add(rows.getString(1));
        }
      }
      return lines;
    }
  }

  @Test
  void listingAPrefixReadsTheNamesThatBeginSoAndNoOthers() throws SQLException {
    try (LockBackend backend = schema.backend()) {
      LockFile.session(backend);
      schema.execute(FILL);
      schema.execute("ANALYZE holdfast_locks");

      List<String> plan = plan(RecordStatements.LIST, OF_ONE_TENANT);

      assertThat(plan).noneMatch(line -> line.contains("Seq Scan on holdfast_locks"));
      assertThat(plan).anyMatch(line -> line.contains("holdfast_locks_pkey"));
    }
  }
}
