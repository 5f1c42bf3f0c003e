package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.fixtures.HangingListenRules;

class PostgresHangingListenTest extends OnPostgres implements HangingListenRules {

  @Override
  public String thread() {
    return "holdfast-listen";
  }
}
