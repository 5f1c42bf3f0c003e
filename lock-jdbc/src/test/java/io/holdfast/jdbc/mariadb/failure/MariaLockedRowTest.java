package io.holdfast.jdbc.mariadb.failure;

import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.jdbc.rules.LockedRowRules;
import io.holdfast.tck.client.TestClient;

class MariaLockedRowTest extends OnMaria implements LockedRowRules {

  @Override
  public boolean isARowWaitedFor() {
    return !schema
        .text("SELECT trx_id FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")
        .isEmpty();
  }

  /** The driver may ask the server to end what it cuts off, which does not arrive then. */
  @Override
  public void awaitArrival(LockClient client, String name, long number) {
    await()
        .atMost(WAIT_MAX)
        .until(
            () ->
                schema
                    .text(
                        "SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'INSERT INTO holdfast_locks%'")
                    .equals("0"));
  }

  /** What takes it back waits for the same row, although that is not there yet. */
  @Override
  public void awaitTakenBack(TestClient client) {}
}
