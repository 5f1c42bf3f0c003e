package io.holdfast.jdbc.mariadb.kit;

import io.holdfast.jdbc.fixtures.ReusedSchemas;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.jdbc.fixtures.ServerStore;
import io.holdfast.jdbc.mariadb.MariaSchema;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.network.MariadbFraming;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.store.DisturbedServer;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.mariadb.MariaPair;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The whole kit on a MariaDB server with a clock of its own, each test in a database that no other
 * uses.
 */
@Adapter("mariadb")
@Tag("server")
class MariaTckTest extends HoldfastTck implements DisturbedServer {

  private static final ShiftedClock STEADY_CLOCK = ShiftedClock.make();
  private static final ShiftedClock CLOCK = ShiftedClock.make();

  private static MariaPair servers;
  private static MariaPair disturbed;
  private static ReusedSchemas schemas;

  @BeforeAll
  static void startServers() {
    servers = MariaPair.launch(STEADY_CLOCK);
    disturbed = MariaPair.launch(CLOCK);
    schemas = new ReusedSchemas(() -> MariaSchema.make(servers.uri()));
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
    return new ServerStore(
        schemas.take(), schemas::giveBack, servers, STEADY_CLOCK, MariadbFraming::new);
  }

  @Override
  public TckStore openStoreToDisturb() {
    return new ServerStore(
        MariaSchema.make(disturbed.uri()),
        ServerSchema::close,
        disturbed,
        CLOCK,
        MariadbFraming::new);
  }
}
