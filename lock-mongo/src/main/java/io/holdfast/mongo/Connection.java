package io.holdfast.mongo;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.TopologyVersion;
import io.holdfast.mongo.MongoNames.Part;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** A client of the driver with its pool, used as locks must use it whatever its own settings. */
final class Connection {

  /** What is written where the election that chose the primary cannot be known. */
  static final String NEVER_KNOWN = "unknown";

  private static final String STANDALONE = "standalone";

  private final MongoClient client;
  private final MongoNames names;
  private volatile String lastKnown = NEVER_KNOWN;

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
   * Returns which primary this client believes in: the election that chose it, and its process, as
   * it says of itself. Not its address: each client may have another for it, and they would give
   * its clock different names. A standalone server is one incarnation, since its clock goes on when
   * it is started again. Behind a router or a load balancer it never can be known; empty if it is
   * not known at the moment.
   */
  Optional<String> incarnation() {
    for (ServerDescription server : client.getClusterDescription().getServerDescriptions()) {
      @Nullable String incarnation = incarnation(server);
      if (incarnation != null) {
        lastKnown = incarnation;
        return Optional.of(incarnation);
      }
    }
    return Optional.empty();
  }

  private static @Nullable String incarnation(ServerDescription server) {
    return switch (server.getType()) {
      case STANDALONE -> STANDALONE;
      case SHARD_ROUTER, LOAD_BALANCER -> NEVER_KNOWN;
      case REPLICA_SET_PRIMARY -> ofPrimary(server);
      default -> null;
    };
  }

  private static String ofPrimary(ServerDescription server) {
    @Nullable ObjectId election = server.getElectionId();
    @Nullable TopologyVersion version = server.getTopologyVersion();
    if (election == null) {
      return NEVER_KNOWN;
    }
    // Elections are counted anew when a set is set up again, hence the process. Servers before 4.4
    // do not tell it.
    return version == null
        ? election.toHexString()
        : election.toHexString() + "@" + version.getProcessId().toHexString();
  }

  /**
   * Returns what is written beside a time: with an election too old, whoever judges the time finds
   * that it cannot, and no more.
   */
  String incarnationToWrite() {
    return incarnation().orElse(lastKnown);
  }

  /** Returns whether the deployment is of a kind that has them; known once it has answered. */
  boolean hasChangeStreams() {
    return switch (client.getClusterDescription().getType()) {
      case REPLICA_SET, SHARDED, LOAD_BALANCED -> true;
      case STANDALONE, UNKNOWN -> false;
    };
  }

  /** Returns why no host is known, where they are to be found by DNS. */
  Optional<MongoException> hostsNotFound() {
    return Optional.ofNullable(client.getClusterDescription().getSrvResolutionException());
  }

  /** Returns when the primary has answered. */
  boolean ping(long millis) {
    TimeLimit.of(database(), millis)
        .runCommand(Docs.doc("ping", Docs.number(1)), BsonDocument.class);
    return true;
  }

  void close() {
    client.close();
  }
}
