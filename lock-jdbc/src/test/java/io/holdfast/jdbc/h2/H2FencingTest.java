package io.holdfast.jdbc.h2;

import io.holdfast.jdbc.rules.JdbcFencingRules;
import io.holdfast.tck.report.Adapter;
import java.util.UUID;

/** Tokens in a table of an H2 database in memory. */
@Adapter("h2")
class H2FencingTest implements JdbcFencingRules {

  /** Its transactions wait for each other for longer than a machine stands still. */
  private final String place =
      "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000".formatted(UUID.randomUUID());

  @Override
  public String place() {
    return place;
  }
}
