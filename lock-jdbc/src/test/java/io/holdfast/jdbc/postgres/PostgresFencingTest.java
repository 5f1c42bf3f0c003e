package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.rules.JdbcFencingRules;
import io.holdfast.jdbc.rules.Orders;
import io.holdfast.tck.adapter.PausedWriterRules;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.report.Adapter;

/** Tokens in a table of an application's database. */
@Adapter("postgresql")
class PostgresFencingTest extends OnPostgres implements JdbcFencingRules, PausedWriterRules {

  @Override
  public Class<? extends FencedResource> resource() {
    return Orders.class;
  }

  @Override
  public String place() {
    return uri();
  }
}
