package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.Contender;
import java.util.List;

/** The peers on Redis. */
public final class RedisPeers {

  private RedisPeers() {}

  /** Returns those of a server that needs no password. */
  public static List<Contender> all(String host, int port) {
    String address = "redis://%s:%d".formatted(host, port);
    return List.of(
        new RedissonPeer(address, RedissonPeer.Kind.LOCK),
        new RedissonPeer(address, RedissonPeer.Kind.FENCED),
        new RedissonPeer(address, RedissonPeer.Kind.FAIR),
        new SpringRedisPeer(host, port),
        new ShedLockRedisPeer(host, port));
  }
}
