package io.holdfast.mongo;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.SocketSettings;
import io.holdfast.error.BadRequestException;
import io.holdfast.mongo.connection.Connection;
import io.holdfast.mongo.connection.Connections;
import io.holdfast.mongo.connection.Connections.Owner;
import io.holdfast.mongo.connection.TimeLimit;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A URI for locks: a URI of the driver, in which the option {@code holdfastPrefix} may give the
 * prefix of the collections' names.
 */
final class MongoUri {

  static final String SCHEME = "mongodb://";
  static final String SRV_SCHEME = "mongodb+srv://";

  private static final Pattern PREFIX_OPTION =
      Pattern.compile("([?&])holdfastPrefix=([^&]*)(&|$)", Pattern.CASE_INSENSITIVE);

  /** Enough for the verbs: the engine bounds how many of them hang at the same time. */
  private static final int VERB_CONNECTIONS_MAX = 16;

  /** More than one, because the engine repeats a hanging renewal on another connection. */
  private static final int HEARTBEAT_CONNECTIONS_MAX = 4;

  private static final Logger LOG = LoggerFactory.getLogger("io.holdfast");

  private final ConnectionString connection;
  private final MongoNames names;

  private MongoUri(ConnectionString connection, MongoNames names) {
    this.connection = connection;
    this.names = names;
  }

  static boolean isOne(String uri) {
    String lower = uri.toLowerCase(Locale.ROOT);
    return lower.startsWith(SCHEME) || lower.startsWith(SRV_SCHEME);
  }

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it is not well-formed
   * @throws BackendFailure if DNS does not return the options of a {@code mongodb+srv} URI
   */
  static MongoUri of(String uri) {
    Matcher option = PREFIX_OPTION.matcher(uri);
    String prefix = MongoNames.PREFIX_DEFAULT;
    String rest = uri;
    if (option.find()) {
      // A valid prefix has no characters that need percent-encoding.
      prefix = option.group(2);
      rest =
          option.replaceFirst(
              option.group(3).isEmpty() ? "" : Matcher.quoteReplacement(option.group(1)));
    }
    ConnectionString connection = parse(rest);
    String database =
        Objects.requireNonNullElse(connection.getDatabase(), MongoNames.DATABASE_DEFAULT);
    return new MongoUri(connection, new MongoNames(database, prefix));
  }

  private static ConnectionString parse(String uri) {
    try {
      return new ConnectionString(uri);
    } catch (IllegalArgumentException e) {
      // The driver's message may repeat the part with the password.
      throw new BadRequestException(
          uri.contains("@")
              ? "The URI does not name a MongoDB deployment. Give one such as mongodb://user:password@host1:27017,host2:27017/database?replicaSet=rs0, with special characters in user and password percent-encoded."
              : "The URI does not name a MongoDB deployment: " + e.getMessage());
    } catch (MongoException e) {
      throw new BackendFailure(
          Effect.NONE,
          "The options of a mongodb+srv URI were not found by DNS: " + e.getMessage(),
          e);
    }
  }

  MongoNames names() {
    return names;
  }

  /**
   * Returns new clients that the backend owns: one for verbs, and one for heartbeats with its own
   * pool.
   */
  Connections connections() {
    return new Connections(
        client(VERB_CONNECTIONS_MAX), client(HEARTBEAT_CONNECTIONS_MAX), Owner.US, describe());
  }

  /** The driver repeats nothing; only the engine does. */
  private Connection client(int limit) {
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applicationName("holdfast")
            .applyConnectionString(connection)
            .applyToSocketSettings(this::endSilence)
            .applyToConnectionPoolSettings(pool -> pool.minSize(0).maxSize(limit))
            .retryWrites(false)
            .retryReads(false)
            .build();
    return new Connection(MongoClients.create(settings), names.database(), names.prefix());
  }

  /**
   * Warns if the driver follows one member of a set for ever, as it does where a URI has one host
   * and neither the name of the set nor anything that says it is meant so.
   */
  void warnOfOneMember(Connections connections) {
    if (connection.isDirectConnection() == null && connections.verbs().isAtOneMemberOfASet()) {
      LOG.warn(
          "{} is one member of a replica set, and the URI does not name the set: nothing is granted while another member is the primary. Add replicaSet=NAME, or directConnection=true if this is meant, as with forwarded ports.",
          connections.describe());
    }
  }

  private void endSilence(SocketSettings.Builder socket) {
    if (connection.getSocketTimeout() == null) {
      TimeLimit.endSilence(socket);
    }
  }

  /** Leaves out the rest of the URI, which may contain a password. */
  private String describe() {
    return "%s%s/%s.%s"
        .formatted(
            connection.isSrvProtocol() ? SRV_SCHEME : SCHEME,
            String.join(",", connection.getHosts()),
            names.database(),
            names.prefix());
  }
}
