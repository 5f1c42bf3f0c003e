package io.holdfast.jdbc;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.network.MariadbFraming;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.server.MariaPair;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on a MariaDB server with a clock of its own, each test in its own database. */
@Adapter("mariadb")
@Tag("server")
class MariaTckTest extends HoldfastTck {

  private static final ShiftedClock CLOCK = ShiftedClock.make();

  private static MariaPair servers;

  @BeforeAll
  static void startServer() {
    servers = MariaPair.launch(CLOCK);
  }

  @AfterAll
  static void stopServer() {
    servers.close();
    CLOCK.close();
  }

  @Override
  protected TckStore openStore() {
    return new ServerStore(MariaSchema.make(servers.uri()), servers, CLOCK, MariadbFraming::new);
  }
}
