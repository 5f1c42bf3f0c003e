package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.BackendUnusableException;
import io.holdfast.redis.RedisUri.Layout;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/** Makes connections of ours, and looks at what they lead to before they are used. */
final class Connector {

  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

  /** How often a cluster may send us on. */
  private static final int MOVES_MAX = 5;

  private final RedisUri uri;
  private final String name;
  private final @Nullable SSLSocketFactory encryption;

  /** Whether a connection was made that could be used. */
  private volatile boolean used;

  Connector(RedisUri uri) {
    this.uri = uri;
    this.name = uri.describe();
    this.encryption = uri.tls().map(Tls::sockets).orElse(null);
  }

  byte[] namespace(int partition) {
    return uri.names().namespace(partition);
  }

  String describe() {
    return name;
  }

  /**
   * Connects to the server that has the partition.
   *
   * @param breaks how often connections have broken before
   * @throws BackendUnusableException if the server answers but cannot be used
   * @throws BackendFailure if it does not answer by the deadline
   */
  Link open(int partition, long breaks, Deadline deadline) {
    @Nullable JedisException last = null;
    for (HostAndPort host : candidates(deadline)) {
      try {
        return open(host, partition, breaks, deadline, MOVES_MAX);
      } catch (JedisException e) {
        last = e;
      }
    }
    throw RedisErrors.failure(name, Objects.requireNonNull(last), Effect.NONE);
  }

  private Link open(
      HostAndPort host, int partition, long breaks, Deadline deadline, int movesLeft) {
    Connection connection = connect(host, deadline);
    try {
      Link link = new Link(connection, breaks);
      link.askAboutDisk(deadline);
      Attached attached =
          Attached.of(
              link.run(Script.ATTACH, namespace(partition), List.of(), 0, deadline).value());
      attached.requireUsable(name, uri.layout() == Layout.SENTINEL);
      if (!used) {
        attached.requireNoEviction(name); // Later whoever holds goes on; opening a session looks.
        used = true;
      }
      attached.tell(LOG, name);
      return link;
    } catch (JedisMovedDataException e) {
      connection.close();
      if (uri.layout() != Layout.CLUSTER) {
        throw new BackendUnusableException(
            "%s is part of a cluster. Use a URI that begins with redis-cluster://".formatted(name),
            e);
      }
      if (movesLeft == 0) {
        throw e;
      }
      return open(e.getTargetNode(), partition, breaks, deadline, movesLeft - 1);
    } catch (RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }

  /** Connects to whichever server answers, without looking at it. */
  Connection connectAnywhere(Deadline deadline) {
    @Nullable JedisException last = null;
    for (HostAndPort host : candidates(deadline)) {
      try {
        return connect(host, deadline);
      } catch (JedisException e) {
        last = e;
      }
    }
    throw RedisErrors.failure(name, Objects.requireNonNull(last), Effect.NONE);
  }

  private Connection connect(HostAndPort host, Deadline deadline) {
    int millis = Math.max(1, deadline.remainingMillis());
    DefaultJedisClientConfig.Builder config =
        encrypted()
            .connectionTimeoutMillis(millis)
            .socketTimeoutMillis(millis)
            .database(uri.database())
            .clientName("holdfast");
    uri.user().ifPresent(config::user);
    uri.password().ifPresent(config::password);
    return connection(host, config.build());
  }

  private static Connection connection(HostAndPort host, JedisClientConfig config) {
    return new Connection(new Sockets(host, config), config);
  }

  private DefaultJedisClientConfig.Builder encrypted() {
    DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder();
    if (encryption != null) {
      SSLParameters parameters = new SSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      config.ssl(true).sslSocketFactory(encryption).sslParameters(parameters);
    }
    return config;
  }

  /** Returns where the server may be, best first. */
  private List<HostAndPort> candidates(Deadline deadline) {
    return uri.layout() == Layout.SENTINEL ? List.of(master(deadline)) : uri.hosts();
  }

  /** Asks the Sentinels, one after the other, each for its share of the time that is left. */
  private HostAndPort master(Deadline deadline) {
    List<String> problems = new ArrayList<>();
    int left = uri.hosts().size();
    for (HostAndPort sentinel : uri.hosts()) {
      Deadline share = Deadline.in(deadline.remaining().dividedBy(left--));
      int millis = Math.max(1, share.remainingMillis());
      DefaultJedisClientConfig config =
          encrypted().connectionTimeoutMillis(millis).socketTimeoutMillis(millis).build();
      try (Connection connection = connection(sentinel, config)) {
        connection.sendCommand(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", uri.master());
        if (connection.getOne() instanceof List<?> address) {
          return new HostAndPort(text(address.get(0)), Integer.parseInt(text(address.get(1))));
        }
        problems.add(sentinel + " knows no such master");
      } catch (RuntimeException e) {
        problems.add(sentinel + ": " + e.getMessage());
      }
    }
    throw new BackendFailure(
        Effect.NONE, "No Sentinel tells where %s is: %s".formatted(name, problems), null);
  }

  private static String text(Object value) {
    return new String((byte[]) value, UTF_8);
  }
}
