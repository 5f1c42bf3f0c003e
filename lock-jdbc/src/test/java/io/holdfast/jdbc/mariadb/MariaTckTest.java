package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.fixtures.ServerStore;
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

/** The whole kit on a MariaDB server with a clock of its own, each test in its own database. */
@Adapter("mariadb")
@Tag("server")
class MariaTckTest extends HoldfastTck implements DisturbedServer {

  private static final ShiftedClock STEADY_CLOCK = ShiftedClock.make();
  private static final ShiftedClock CLOCK = ShiftedClock.make();

  private static MariaPair servers;
  private static MariaPair disturbed;

  @BeforeAll
  static void startServers() {
    servers = MariaPair.launch(STEADY_CLOCK);
    disturbed = MariaPair.launch(CLOCK);
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

  private static TckStore openStore(MariaPair servers, ShiftedClock clock) {
    return new ServerStore(MariaSchema.make(servers.uri()), servers, clock, MariadbFraming::new);
  }
}
