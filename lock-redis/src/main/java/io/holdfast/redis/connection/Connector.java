package io.holdfast.redis.connection;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.connection.Dialer.Reached;
import io.holdfast.redis.connection.RedisUri.Layout;
import io.holdfast.redis.connection.Sentinels.Master;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/** Opens our own connections, and checks the server of each before it is used. */
final class Connector {

  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

  /** How many redirections of a cluster are followed. */
  private static final int MOVES_MAX = 5;

  private final RedisUri uri;
  private final String name;

  private final Script attach;
  private final RestartGuard guard;
  private final Dialer dialer;
  private final Seeds seeds;
  private final Sentinels sentinels;

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
    this.dialer = new Dialer(uri, names);
    this.seeds = new Seeds(uri.hosts());
    this.sentinels = new Sentinels(dialer, seeds, uri.master(), name);
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
        T result = attempt.apply(host, Seeds.share(deadline, left--));
        seeds.putFirst(host);
        return result;
      } catch (JedisException e) {
        last = e;
      }
    }
    throw RedisErrors.failure(name, Objects.requireNonNull(last), Effect.NONE);
  }

  private <T> T atMaster(Deadline deadline, BiFunction<HostAndPort, Deadline, T> attempt) {
    Master master = sentinels.master(deadline);
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
        dialer.putFirst(master.place());
      } else {
        seeds.putLast(master.sentinel());
        dialer.putLast(master.place());
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
    Reached reached = dialer.server(host, limit);
    try {
      return attachedOrMoved(reached, partition, breaks, limit.deadline(), movesLeft);
    } catch (RuntimeException | Error e) {
      reached.connection().close();
      dialer.putLast(reached.place());
      throw e;
    }
  }

  private ServerConnection attachedOrMoved(
      Reached reached, int partition, long breaks, Deadline deadline, int movesLeft) {
    try {
      ServerConnection opened = new ServerConnection(reached.connection(), breaks);
      attach(opened, partition, deadline);
      dialer.putFirst(reached.place());
      return opened;
    } catch (JedisMovedDataException e) {
      reached.connection().close();
      if (uri.layout() != Layout.CLUSTER) {
        throw new BackendUnusableException(
            "%s is part of a cluster. Use a URI that begins with redis-cluster://".formatted(name),
            e);
      }
      if (movesLeft == 0) {
        throw e;
      }
      return open(target(e, reached), partition, breaks, deadline, movesLeft - 1);
    }
  }

  /** A node that does not know under which name it is reached leaves that out: it is the same. */
  private static HostAndPort target(JedisMovedDataException moved, Reached asked) {
    HostAndPort target = moved.getTargetNode();
    return target.getHost().isEmpty()
        ? new HostAndPort(asked.place().host(), target.getPort())
        : target;
  }

  private void attach(ServerConnection opened, int partition, Deadline deadline) {
    opened.introduce(deadline);
    ServerFacts facts =
        ServerFacts.of(opened.run(attach, namespace(partition), List.of(), 0, deadline).value());
    facts.requireUsable(name, uri.layout() == Layout.SENTINEL, guard);
    if (!used) {
      facts.requireNoEviction(name); // Later only opening a session is refused.
      used = true;
    }
    facts.logRestartGuard(LOG, name);
  }

  /** Connects to the first server that answers, without checking it. */
  Connection connectAnywhere(Deadline deadline) {
    return atFirstThatAnswers(
        deadline,
        (host, share) -> {
          try (TimeLimit limit = new TimeLimit(share)) {
            return introduced(dialer.server(host, limit), share);
          }
        });
  }

  private Connection introduced(Reached reached, Deadline deadline) {
    try {
      new ServerConnection(reached.connection(), 0).introduceOnly(deadline);
      return reached.connection();
    } catch (RuntimeException | Error e) {
      reached.connection().close();
      dialer.putLast(reached.place());
      throw e;
    }
  }
}
