package io.holdfast.jdbc.postgres.kit;

import io.holdfast.jdbc.fixtures.ReusedSchemas;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.jdbc.fixtures.ServerStore;
import io.holdfast.jdbc.postgres.KeptSessions;
import io.holdfast.jdbc.postgres.PostgresSchema;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.network.PostgresFraming;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.store.DisturbedServer;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.postgres.PostgresPair;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The whole kit on a PostgreSQL server with a clock of its own, each test in a schema that no other
 * uses.
 */
@Adapter("postgresql")
@Tag("server")
class PostgresTckTest extends HoldfastTck implements DisturbedServer {

  private static final ShiftedClock STEADY_CLOCK = ShiftedClock.make();
  private static final ShiftedClock CLOCK = ShiftedClock.make();
  private static final KeptSessions SESSIONS = new KeptSessions();

  private static PostgresPair servers;
  private static PostgresPair disturbed;
  private static ReusedSchemas schemas;

  @BeforeAll
  static void startServers() {
    servers = PostgresPair.launch(STEADY_CLOCK);
    disturbed = PostgresPair.launch(CLOCK);
    schemas = new ReusedSchemas(() -> PostgresSchema.make(uri(servers), SESSIONS));
  }

  @AfterAll
  static void stopServers() {
    SESSIONS.close();
    servers.close();
    disturbed.close();
    STEADY_CLOCK.close();
    CLOCK.close();
  }

  @Override
  protected TckStore openStore() {
    return new ServerStore(
        schemas.take(), schemas::giveBack, servers, STEADY_CLOCK, PostgresFraming::new);
  }

  @Override
  public TckStore openStoreToDisturb() {
    return new ServerStore(
        PostgresSchema.make(uri(disturbed)),
        ServerSchema::close,
        disturbed,
        CLOCK,
        PostgresFraming::new);
  }

  private static String uri(PostgresPair servers) {
    // A driver that goes on from what it last knew of a host would not find the other at once.
    return servers.uri() + "&hostRecheckSeconds=0";
  }
}
