package io.holdfast.redis.connection;

import io.holdfast.spi.Deadline;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.HostAndPort;

/**
 * The addresses of a URI, in the order in which they are asked: the one that led to a server last
 * comes first. Otherwise each new connection would wait for an address that is silent, and a
 * namespace of many partitions takes many. A Sentinel that named a server which could not be used
 * comes last: it may be cut off from those that know the new master.
 *
 * <p>Several threads may use it. Of two changes at the same time one may be lost, which costs no
 * more than time.
 */
final class Seeds {

  private volatile List<HostAndPort> order;

  Seeds(List<HostAndPort> seeds) {
    this.order = List.copyOf(seeds);
  }

  /**
   * Returns the part of the time that the next of several hosts has. A machine that stands still
   * takes connections and never answers: it must not take the time of the hosts after it.
   */
  static Deadline share(Deadline deadline, int hostsLeft) {
    return Deadline.in(deadline.remaining().dividedBy(hostsLeft));
  }

  List<HostAndPort> bestFirst() {
    return order;
  }

  /** Has an address asked before all others. */
  void putFirst(HostAndPort address) {
    List<HostAndPort> changed = without(address);
    changed.add(0, address);
    order = List.copyOf(changed);
  }

  /** Has an address asked after all others. */
  void putLast(HostAndPort address) {
    List<HostAndPort> changed = without(address);
    changed.add(address);
    order = List.copyOf(changed);
  }

  private List<HostAndPort> without(HostAndPort address) {
    List<HostAndPort> others = new ArrayList<>(order);
    others.remove(address);
    return others;
  }
}
