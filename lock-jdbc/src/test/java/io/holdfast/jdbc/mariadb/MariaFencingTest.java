package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.rules.JdbcFencingRules;
import io.holdfast.jdbc.rules.Orders;
import io.holdfast.tck.adapter.PausedWriterRules;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.report.Adapter;

/** Tokens in a table of an application's database. */
@Adapter("mariadb")
class MariaFencingTest extends OnMaria implements JdbcFencingRules, PausedWriterRules {

  @Override
  public Class<? extends FencedResource> resource() {
    return Orders.class;
  }

  @Override
  public String place() {
    return uri();
  }
}
