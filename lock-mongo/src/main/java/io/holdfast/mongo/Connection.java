package io.holdfast.mongo;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ServerDescription;
import io.holdfast.mongo.MongoNames.Part;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.configuration.CodecRegistries;

/** A client of the driver with its pool, used as locks must use it whatever its own settings. */
final class Connection {

  /** What is written where the election that chose the primary cannot be known. */
  static final String UNKNOWN = "unknown";

  private static final String STANDALONE = "standalone";

  private final MongoClient client;
  private final MongoNames names;

  Connection(MongoClient client, MongoNames names) {
    this.client = client;
    this.names = names;
  }

  MongoDatabase database() {
    return client
        .getDatabase(names.database())
        .withCodecRegistry(CodecRegistries.fromCodecs(new BsonDocumentCodec()))
        .withReadPreference(ReadPreference.primary())
        .withReadConcern(ReadConcern.MAJORITY)
        .withWriteConcern(WriteConcern.MAJORITY);
  }

  MongoCollection<BsonDocument> collection(Part part) {
    return database().getCollection(names.collection(part), BsonDocument.class);
  }

  /** Returns the filter of a list of collections for ours. */
  BsonDocument isOurs() {
    return Docs.doc(
        "name",
        Docs.in(Stream.of(Part.values()).map(part -> Docs.text(names.collection(part))).toList()));
  }

  /**
   * Returns which primary this client believes in: the election that chose it. A standalone server
   * is one incarnation, since its clock goes on when it is started again. Behind a router or a load
   * balancer it cannot be known.
   */
  String incarnation() {
    for (ServerDescription server : client.getClusterDescription().getServerDescriptions()) {
      if (server.isStandAlone()) {
        return STANDALONE;
      }
      if (server.isPrimary() && server.getElectionId() != null) {
        // Elections are counted anew when a set is set up again, hence the address.
        return server.getElectionId().toHexString() + "@" + server.getAddress();
      }
    }
    return UNKNOWN;
  }

  void close() {
    client.close();
  }
}
