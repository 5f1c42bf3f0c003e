package io.holdfast.redis.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.HostAndPort;

/**
 * The addresses of a URI, in the order in which they are asked: the one that answered last comes
 * first. Otherwise each new connection would wait for an address that is silent, and a namespace of
 * many partitions takes many.
 */
final class Seeds {

  private final List<HostAndPort> seeds;
  private volatile Optional<HostAndPort> answered = Optional.empty();

  Seeds(List<HostAndPort> seeds) {
    this.seeds = List.copyOf(seeds);
  }

  List<HostAndPort> bestFirst() {
    List<HostAndPort> ordered = new ArrayList<>(seeds);
    answered.ifPresent(
        best -> {
          ordered.remove(best);
          ordered.add(0, best);
        });
    return List.copyOf(ordered);
  }

  /** Remembers that an address answered. Addresses that are not in the URI are passed over. */
  void answered(HostAndPort address) {
    if (seeds.contains(address)) {
      answered = Optional.of(address);
    }
  }
}
