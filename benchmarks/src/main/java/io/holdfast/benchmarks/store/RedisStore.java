package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.limit.RedisLimit;
import io.holdfast.benchmarks.peer.RedisPeers;
import io.holdfast.testing.redis.RedisServer;
import java.util.List;

/** A Redis server that writes nothing to its disk: the locks are compared, not the disk. */
final class RedisStore implements BenchmarkStore {

  private static final String HOST = "127.0.0.1";

  private final RedisServer server = RedisServer.launch("--appendonly", "no");

  private RedisStore() {}

  static BenchmarkStore start() {
    return new RedisStore();
  }

  @Override
  public String uri() {
    // A restart is followed by a guard; a server that was just started is none.
    return server.uri() + "?restartGuard=off";
  }

  @Override
  public String earlierUri() {
    return uri() + "&prefix=earlier";
  }

  @Override
  public String description() {
    return server
            .command("INFO", "server")
            .lines()
            .filter(line -> line.startsWith("redis_version:"))
            .findFirst()
            .map(line -> "Redis " + line.substring(line.indexOf(':') + 1).strip())
            .orElse("Redis")
        + ", appendonly no";
  }

  @Override
  public List<Contender> contenders() {
    int port = server.port();
    return Contenders.of(new RedisLimit(HOST, port), uri(), RedisPeers.all(HOST, port));
  }

  @Override
  public void close() {
    server.close();
  }
}
