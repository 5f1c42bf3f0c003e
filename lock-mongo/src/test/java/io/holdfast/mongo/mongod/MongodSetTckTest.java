package io.holdfast.mongo.mongod;

import io.holdfast.mongo.MongodFaultTest;
import io.holdfast.mongo.MongodTckBase;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.report.Adapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The whole kit on a replica set, which has another primary after each restart. */
@RequiresMongod
@Adapter(
    value = "mongodb",
    provedBy = MongodFaultTest.class,
    notProved = Claim.TOKENS_SURVIVE_DELETION)
class MongodSetTckTest extends MongodTckBase {

  private static MongodSet set;

  @BeforeAll
  static void start() {
    set = MongodSet.launch();
  }

  @AfterAll
  static void stop() {
    set.close();
  }

  @Override
  protected String uri(String database) {
    return set.uri(database);
  }

  @Override
  protected void restartServers(String database) {
    set.stepDown();
  }
}
