package io.holdfast.jdbc.postgres.failure;

import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.rules.LockedRowRules;

class PostgresLockedRowTest extends OnPostgres implements LockedRowRules {

  @Override
  public boolean isARowWaitedFor() {
    return !schema
        .text("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        .isEmpty();
  }
}
