package io.holdfast.jdbc.postgres.connections;

import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.rules.HangingListenRules;

class PostgresHangingListenTest extends OnPostgres implements HangingListenRules {

  @Override
  public String thread() {
    return "holdfast-listen";
  }
}
