package io.holdfast.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests on one imitation of a server, behind the proxy that is as severe as a real one. */
abstract class OnImitation {

  static ClockedServer server;
  static StrictProxy proxy;

  /** A client that passes the proxy by. */
  static MongoClient past;

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
