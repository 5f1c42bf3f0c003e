package io.holdfast.mongo.connection;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.TopologyVersion;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * A client of the driver with its pool, used with the concerns, preferences and codecs that locks
 * need, not with its own settings.
 */
public final class Connection {

  /** The incarnation where the election of the primary cannot be known. */
  public static final String NEVER_KNOWN = "unknown";

  private static final String STANDALONE = "standalone";

  /**
   * A set can be configured so that a majority confirms what it has in memory alone, and a new
   * primary would not know of it.
   */
  private static final WriteConcern IN_JOURNALS = WriteConcern.MAJORITY.withJournal(true);

  private final MongoClient client;
  private final String prefix;

  /** Made once: the driver makes a registry of codecs and four copies of the database for each. */
  private final MongoDatabase database;

  private final Map<CollectionRole, MongoCollection<BsonDocument>> collections =
      new EnumMap<>(CollectionRole.class);

  private volatile String lastKnown = NEVER_KNOWN;

  /**
   * Uses a client.
   *
   * @param database the database of the collections
   * @param prefix the prefix of the collections' names
   */
  public Connection(MongoClient client, String database, String prefix) {
    this.client = client;
    this.prefix = prefix;
    this.database =
        client
            .getDatabase(database)
            .withCodecRegistry(CodecRegistries.fromCodecs(new BsonDocumentCodec()))
            .withReadPreference(ReadPreference.primary())
            .withReadConcern(ReadConcern.MAJORITY)
            .withWriteConcern(IN_JOURNALS);
    for (CollectionRole role : CollectionRole.values()) {
      collections.put(role, this.database.getCollection(role.nameWith(prefix), BsonDocument.class));
    }
  }

  MongoDatabase database() {
    return database;
  }

  public MongoCollection<BsonDocument> collection(CollectionRole role) {
    return Objects.requireNonNull(collections.get(role));
  }

  /** Returns the filter that selects our collections in a list of collections. */
  BsonDocument isOurs() {
    return Documents.doc(
        "name",
        Documents.in(
            Stream.of(CollectionRole.values())
                .map(role -> Documents.text(role.nameWith(prefix)))
                .toList()));
  }

  /**
   * Returns the incarnation of the primary that this client knows: its election and its process, as
   * the primary reports them. The address is no part of it, because clients may know one primary by
   * different addresses. A standalone server always is the same incarnation, since its clock goes
   * on when it is restarted. Behind a router or a load balancer the incarnation can never be known.
   * Empty if the client knows no primary at the moment.
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
    // Elections are counted from the start when a replica set is set up again, hence the process.
    // Servers before 4.4 do not report it.
    return version == null
        ? election.toHexString()
        : election.toHexString() + "@" + version.getProcessId().toHexString();
  }

  /**
   * Returns the incarnation to store beside a time. If it is out of date, other clients cannot
   * compare the time with the present clock; nothing else happens.
   */
  String incarnationToWrite() {
    return incarnation().orElse(lastKnown);
  }

  /**
   * Returns whether the deployment is of a kind that has change streams. Known once it has
   * answered.
   */
  public boolean hasChangeStreams() {
    return switch (client.getClusterDescription().getType()) {
      case REPLICA_SET, SHARDED, LOAD_BALANCED -> true;
      case STANDALONE, UNKNOWN -> false;
    };
  }

  /**
   * Returns whether the driver asks one member of a set alone, and the set has others. Known once
   * that one has answered.
   */
  public boolean isAtOneMemberOfASet() {
    ClusterDescription known = client.getClusterDescription();
    return known.getConnectionMode() == ClusterConnectionMode.SINGLE
        && known.getServerDescriptions().stream()
            .filter(ServerDescription::isReplicaSetMember)
            .anyMatch(member -> member.getHosts().size() > 1);
  }

  /**
   * Returns the error of the DNS lookup if the hosts of a {@code mongodb+srv} URI were not found.
   */
  Optional<MongoException> hostsNotFound() {
    return Optional.ofNullable(client.getClusterDescription().getSrvResolutionException());
  }

  /** Waits for an answer of the primary. */
  boolean ping(TimeLimit limit) {
    limit.on(database()).runCommand(Documents.doc("ping", Documents.number(1)), BsonDocument.class);
    return true;
  }

  void close() {
    client.close();
  }
}
