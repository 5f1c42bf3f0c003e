package io.holdfast.redis.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.connection.RedisUri.Layout;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
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

/** Opens our own connections, and checks the server of each before it is used. */
final class Connector {

  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

  /** How many redirections of a cluster are followed. */
  private static final int MOVES_MAX = 5;

  private final RedisUri uri;
  private final String name;
  private final @Nullable SSLSocketFactory encryption;

  private final Script attach;
  private final RestartGuard guard;
  private final AddressOrder addresses;
  private final Seeds seeds;

  /** Whether a usable connection was opened before. */
  private volatile boolean used;

  /**
   * Makes one.
   *
   * @param attach checks a new connection
   * @param guard whether restarts that may have lost grants have to be noticed
   */
  Connector(RedisUri uri, Script attach, RestartGuard guard) {
    this(uri, attach, guard, HostNames.ofTheSystem());
  }

  Connector(RedisUri uri, Script attach, RestartGuard guard, HostNames names) {
    this.uri = uri;
    this.attach = attach;
    this.guard = guard;
    this.name = uri.describe();
    this.addresses = new AddressOrder(names);
    this.seeds = new Seeds(uri.hosts());
    this.encryption = uri.tls().map(Tls::sockets).orElse(null);
  }

  RawArgument namespace(int partition) {
    return new RawArgument(uri.names().namespace(partition));
  }

  String describe() {
    return name;
  }

  boolean isSpread() {
    return uri.layout() == Layout.CLUSTER;
  }

  /**
   * Connects to the server that has the partition.
   *
   * @param breaks how many connections have broken before
   * @throws BackendUnusableException if the server answers but cannot be used
   * @throws BackendFailure if no host answers by the deadline; each has its share of the time
   */
  ServerConnection open(int partition, long breaks, Deadline deadline) {
    return atFirstThatAnswers(
        deadline, (host, share) -> open(host, partition, breaks, share, MOVES_MAX));
  }

  private <T> T atFirstThatAnswers(
      Deadline deadline, BiFunction<HostAndPort, Deadline, T> attempt) {
    return uri.layout() == Layout.SENTINEL
        ? atMaster(deadline, attempt)
        : atFirstHost(deadline, attempt);
  }

  /** Tries the hosts one after the other; each has its share of the remaining time. */
  private <T> T atFirstHost(Deadline deadline, BiFunction<HostAndPort, Deadline, T> attempt) {
    @Nullable JedisException last = null;
    List<HostAndPort> hosts = seeds.bestFirst();
    int left = hosts.size();
    for (HostAndPort host : hosts) {
      try {
        T result = attempt.apply(host, share(deadline, left--));
        seeds.putFirst(host);
        return result;
      } catch (JedisException e) {
        last = e;
      }
    }
    throw RedisErrors.failure(name, Objects.requireNonNull(last), Effect.NONE);
  }

  private <T> T atMaster(Deadline deadline, BiFunction<HostAndPort, Deadline, T> attempt) {
    Master master = master(deadline);
    boolean isUsable = false;
    try {
      T result = attempt.apply(master.address(), deadline);
      isUsable = true;
      return result;
    } catch (JedisException e) {
      throw RedisErrors.failure(name, e, Effect.NONE);
    } finally {
      if (isUsable) {
        seeds.putFirst(master.sentinel());
      } else {
        seeds.putLast(master.sentinel());
      }
    }
  }

  private ServerConnection open(
      HostAndPort host, int partition, long breaks, Deadline deadline, int movesLeft) {
    try (TimeLimit limit = new TimeLimit(deadline)) {
      return open(host, partition, breaks, limit, movesLeft);
    }
  }

  private ServerConnection open(
      HostAndPort host, int partition, long breaks, TimeLimit limit, int movesLeft) {
    Deadline deadline = limit.deadline();
    Reached reached = connect(host, limit);
    Connection connection = reached.connection();
    try {
      ServerConnection opened = new ServerConnection(connection, breaks);
      opened.readDurability(deadline);
      ServerFacts facts =
          ServerFacts.of(opened.run(attach, namespace(partition), List.of(), 0, deadline).value());
      facts.requireUsable(name, uri.layout() == Layout.SENTINEL, guard);
      if (!used) {
        facts.requireNoEviction(name); // Later only opening a session is refused.
        used = true;
      }
      facts.logRestartGuard(LOG, name);
      putFirst(reached);
      return opened;
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

  /** Connects to the first server that answers, without checking it. */
  Connection connectAnywhere(Deadline deadline) {
    return atFirstThatAnswers(
        deadline,
        (host, share) -> {
          try (TimeLimit limit = new TimeLimit(share)) {
            return connect(host, limit).connection();
          }
        });
  }

  /** A connection, and where it leads. */
  private record Reached(Connection connection, HostAndPort host, InetAddress address) {}

  private void putFirst(Reached usable) {
    addresses.putFirst(usable.host().getHost(), usable.address());
  }

  private Reached connect(HostAndPort host, TimeLimit limit) {
    int millis = Math.max(1, limit.deadline().remainingMillis());
    DefaultJedisClientConfig.Builder config =
        encrypted()
            .connectionTimeoutMillis(millis)
            .socketTimeoutMillis(millis)
            .database(uri.database())
            .clientName("holdfast");
    uri.user().ifPresent(config::user);
    uri.password().ifPresent(config::password);
    return connection(host, config.build(), limit);
  }

  private Reached connection(HostAndPort host, JedisClientConfig config, TimeLimit limit) {
    LimitedSocketFactory sockets = new LimitedSocketFactory(host, config, addresses, limit);
    Connection connection = new Connection(sockets, config);
    return new Reached(connection, host, sockets.reached());
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

  /**
   * Returns the part of the time that the next of several hosts has. A machine that stands still
   * takes connections and never answers: it must not take the time of the hosts after it.
   */
  private static Deadline share(Deadline deadline, int hostsLeft) {
    return Deadline.in(deadline.remaining().dividedBy(hostsLeft));
  }

  /** A master, and the Sentinel that named it. */
  private record Master(HostAndPort address, HostAndPort sentinel) {}

  /** Asks the Sentinels one after the other. */
  private Master master(Deadline deadline) {
    List<String> problems = new ArrayList<>();
    List<HostAndPort> sentinels = seeds.bestFirst();
    int left = sentinels.size();
    for (HostAndPort sentinel : sentinels) {
      Deadline share = share(deadline, left--);
      int millis = Math.max(1, share.remainingMillis());
      DefaultJedisClientConfig config =
          encrypted().connectionTimeoutMillis(millis).socketTimeoutMillis(millis).build();
      try (TimeLimit limit = new TimeLimit(share)) {
        if (masterByName(connection(sentinel, config, limit)) instanceof List<?> address) {
          return new Master(
              new HostAndPort(text(address.get(0)), Integer.parseInt(text(address.get(1)))),
              sentinel);
        }
        problems.add(sentinel + " knows no such master");
      } catch (RuntimeException e) {
        problems.add(sentinel + ": " + e.getMessage());
      }
    }
    throw new BackendFailure(
        Effect.NONE, "No Sentinel knows the address of %s: %s".formatted(name, problems), null);
  }

  private @Nullable Object masterByName(Reached sentinel) {
    try (Connection connection = sentinel.connection()) {
      connection.sendCommand(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", uri.master());
      @Nullable Object answer = connection.getOne();
      putFirst(sentinel);
      return answer;
    }
  }

  private static String text(Object value) {
    return new String((byte[]) value, UTF_8);
  }
}
