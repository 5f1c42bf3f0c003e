package io.holdfast.benchmarks.store;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.limit.MongoLimit;
import io.holdfast.benchmarks.peer.MongoPeers;
import io.holdfast.testing.mongo.MongodServer;
import java.util.List;
import org.bson.Document;

/** A MongoDB server, or the imitation of one where none is installed. */
final class MongoStore implements BenchmarkStore {

  private final int port;
  private final String kind;
  private final Runnable end;

  private MongoStore(int port, String kind, Runnable end) {
    this.port = port;
    this.kind = kind;
    this.end = end;
  }

  static BenchmarkStore start() {
    if (MongodServer.isThere()) {
      MongodServer server = MongodServer.launch();
      return new MongoStore(server.port(), "MongoDB %s, standalone", server::close);
    }
    MongoImitation imitation = MongoImitation.launch();
    return new MongoStore(
        imitation.port(),
        "NOT A REAL SERVER: mongo-java-server, which says that it is MongoDB %s, in a JVM of its"
            + " own and in memory, because HOLDFAST_MONGOD names no mongod",
        imitation::close);
  }

  private String address() {
    return "mongodb://127.0.0.1:" + port;
  }

  @Override
  public String uri() {
    return address() + "/holdfast";
  }

  @Override
  public String earlierUri() {
    return uri() + "?holdfastPrefix=earlier_";
  }

  @Override
  public String description() {
    try (MongoClient client = MongoClients.create(address())) {
      Document info = client.getDatabase("admin").runCommand(new Document("buildInfo", 1));
      return kind.formatted(info.getString("version"));
    }
  }

  @Override
  public boolean isReal() {
    return MongodServer.isThere();
  }

  @Override
  public List<Contender> contenders() {
    return Contenders.of(new MongoLimit(address()), uri(), MongoPeers.all(address()));
  }

  @Override
  public void close() {
    end.run();
  }
}
