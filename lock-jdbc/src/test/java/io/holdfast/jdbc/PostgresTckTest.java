package io.holdfast.jdbc;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.network.PostgresFraming;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.server.PostgresPair;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on a PostgreSQL server with a clock of its own, each test in its own schema. */
@Adapter("postgresql")
@Tag("server")
class PostgresTckTest extends HoldfastTck {

  private static final ShiftedClock CLOCK = ShiftedClock.make();

  private static PostgresPair servers;

  @BeforeAll
  static void startServer() {
    servers = PostgresPair.launch(CLOCK);
  }

  @AfterAll
  static void stopServer() {
    servers.close();
    CLOCK.close();
  }

  @Override
  protected TckStore openStore() {
    // A driver that goes on from what it last knew of a host would not find the other at once.
    return new ServerStore(
        PostgresSchema.make(servers.uri() + "&hostRecheckSeconds=0"),
        servers,
        CLOCK,
        PostgresFraming::new);
  }
}
