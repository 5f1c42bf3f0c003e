package io.holdfast.mongo.imitation;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Base of tests on one imitation of a server, behind the proxy that checks commands as strictly as
 * a real server.
 */
public abstract class ImitationTestBase {

  public static ClockedServer server;
  public static StrictProxy proxy;

  /** A client that is connected directly, without the proxy. */
  public static MongoClient past;

  @BeforeAll
  static void start() throws IOException {
    server = ClockedServer.start();
    proxy = StrictProxy.before(server.port());
    past = MongoClients.create("mongodb://localhost:" + server.port());
  }

  @AfterAll
  static void stop() throws IOException {
    past.close();
    proxy.close();
    server.close();
  }
}
