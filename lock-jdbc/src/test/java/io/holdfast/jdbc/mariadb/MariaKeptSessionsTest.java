package io.holdfast.jdbc.mariadb;

import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.fixtures.KeptSessions;
import io.holdfast.jdbc.fixtures.KeptSessionsRules;
import io.holdfast.jdbc.fixtures.ServerSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaKeptSessionsTest extends OnMaria implements KeptSessionsRules {

  @Override
  public KeptSessions keeper() {
    return new KeptSessions(MariaSession::of);
  }

  @Override
  public ServerSchema schema(KeptSessions keeper) {
    return MariaSchema.make(server.uri(), keeper);
  }

  @Override
  public String number() {
    return "SELECT connection_id()";
  }

  @Override
  public String isThere() {
    return "SELECT count(*) FROM information_schema.processlist WHERE id = %s";
  }

  @Override
  public String state() {
    return """
    SELECT variable_name, variable_value FROM information_schema.session_variables
    WHERE variable_name NOT IN ('pseudo_thread_id', 'rand_seed1', 'rand_seed2', 'timestamp')
    UNION ALL SELECT 'database', DATABASE()
    UNION ALL SELECT 'kept', @kept
    UNION ALL SELECT 'lock', IS_USED_LOCK('kept')""";
  }

  @Override
  public String[] traces() {
    return new String[] {
      "SET time_zone = '+03:00', sql_mode = '', sql_select_limit = 1, @kept = 1",
      "SELECT GET_LOCK('kept', 0)",
    };
  }

  @Test
  void aSessionThatMayStillBeWokenIsNotHandedOn() throws SQLException {
    try (KeptSessions keeper = keeper();
        ServerSchema schema = schema(keeper)) {
      ConnectionSource source = keeper.source(new MariaSource(schema.uri()), schema.name());
      Connection first = source.take(soon()).jdbc();
      String number = numberOf(first);
      first.prepareStatement("SELECT GET_LOCK('bell', 0)").execute();
      first.close();

      try (Connection next = source.take(soon()).jdbc()) {
        assertThat(numberOf(next)).isNotEqualTo(number);
      }
    }
  }
}
