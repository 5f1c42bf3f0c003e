package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.fixtures.KeptSessions;
import io.holdfast.jdbc.fixtures.KeptSessionsRules;
import io.holdfast.jdbc.fixtures.ServerSchema;

class PostgresKeptSessionsTest extends OnPostgres implements KeptSessionsRules {

  @Override
  public KeptSessions keeper() {
    return new KeptSessions(PostgresSession::new);
  }

  @Override
  public ServerSchema schema(KeptSessions keeper) {
    return PostgresSchema.make(server.uri(), keeper);
  }

  @Override
  public String number() {
    return "SELECT pg_backend_pid()";
  }

  @Override
  public String isThere() {
    return "SELECT count(*) FROM pg_stat_activity WHERE pid = %s";
  }

  @Override
  public String state() {
    return """
    SELECT name, setting FROM pg_settings
    UNION ALL SELECT 'system', nullif(current_setting('holdfast.system', true), '')
    UNION ALL SELECT 'listening to ' || channel, '' FROM pg_listening_channels() channel
    UNION ALL SELECT 'prepared ' || name, '' FROM pg_prepared_statements
    UNION ALL SELECT 'lock of ' || objid, '' FROM pg_locks
      WHERE locktype = 'advisory' AND pid = pg_backend_pid()
    UNION ALL SELECT 'table ' || relname, '' FROM pg_class WHERE relpersistence = 't'""";
  }

  @Override
  public String[] traces() {
    return new String[] {
      "SET enable_seqscan = off",
      "SELECT set_config('holdfast.system', '1', false)",
      "LISTEN somebody",
      "NOTIFY somebody",
      "PREPARE something AS SELECT 1",
      "SELECT pg_advisory_lock(7)",
      "CREATE TEMPORARY TABLE temporary (x int)"
    };
  }
}
