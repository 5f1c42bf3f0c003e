package io.holdfast.cli;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** An imitation of a MongoDB server, for want of a real one. */
final class MongoImitation implements AutoCloseable {

  private final MongoServer server = new MongoServer(new MemoryBackend());

  private MongoImitation() {
    server.bind("localhost", 0);
  }

  static MongoImitation launch() {
    return new MongoImitation();
  }

  String uri() {
    return "mongodb://localhost:" + server.getLocalAddress().getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
