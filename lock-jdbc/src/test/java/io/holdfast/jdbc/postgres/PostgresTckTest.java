package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.fixtures.ServerStore;
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

/** The whole kit on a PostgreSQL server with a clock of its own, each test in its own schema. */
@Adapter("postgresql")
@Tag("server")
class PostgresTckTest extends HoldfastTck implements DisturbedServer {

  private static final ShiftedClock STEADY_CLOCK = ShiftedClock.make();
  private static final ShiftedClock CLOCK = ShiftedClock.make();

  private static PostgresPair servers;
  private static PostgresPair disturbed;

  @BeforeAll
  static void startServers() {
    servers = PostgresPair.launch(STEADY_CLOCK);
    disturbed = PostgresPair.launch(CLOCK);
  }

  @AfterAll
  static void stopServers() {
    servers.close();
    disturbed.close();
    STEADY_CLOCK.close();
    CLOCK.close();
  }

  @Override
  protected TckStore openStore() {
    return openStore(servers, STEADY_CLOCK);
  }

  @Override
  public TckStore openStoreToDisturb() {
    return openStore(disturbed, CLOCK);
  }

  private static TckStore openStore(PostgresPair servers, ShiftedClock clock) {
    // A driver that goes on from what it last knew of a host would not find the other at once.
    return new ServerStore(
        PostgresSchema.make(servers.uri() + "&hostRecheckSeconds=0"),
        servers,
        clock,
        PostgresFraming::new);
  }
}
