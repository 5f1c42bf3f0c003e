package io.holdfast.mongo.mongod;

import com.mongodb.client.MongoClient;
import io.holdfast.mongo.MongodTckBase;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.mongo.MongodServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The whole kit on a standalone server, which has no other to fail over to. */
@RequiresMongod
@Adapter(
    value = "mongodb-standalone",
    notProved = {Claim.TOKENS_SURVIVE_DELETION, Claim.GRANTS_SURVIVE_FAIL_OVER})
class MongodStandaloneTckTest extends MongodTckBase {

  private static MongodServer server;

  @BeforeAll
  static void start() {
    server = MongodServer.launch();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected String uri(String database) {
    return "mongodb://127.0.0.1:%d/%s".formatted(server.port(), database);
  }

  @Override
  protected void restartServers(String database) {
    server.restart();
    try (MongoClient client = server.client()) {
      EarlierPrimary.wrote(client.getDatabase(database));
    }
  }
}
