package io.holdfast.jdbc.h2;

import io.holdfast.jdbc.fixtures.JdbcFencingRules;
import io.holdfast.jdbc.fixtures.Orders;
import io.holdfast.tck.report.Adapter;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/** Tokens in a table of an H2 database in memory. */
@Adapter("h2")
class H2FencingTest implements JdbcFencingRules {

  private Orders orders;

  @BeforeEach
  void makeTables() throws SQLException {
    orders = Orders.make("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
  }

  @Override
  public Orders orders() {
    return orders;
  }
}
