package io.holdfast.redis.connection;

import io.holdfast.spi.Deadline;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The addresses of a host, in the order in which they are tried: the one that led to a usable
 * server last comes first, as {@link Seeds} has it for the hosts of a URI. Otherwise each new
 * connection might wait for an address that is silent.
 */
final class AddressOrder implements HostNames {

  private final HostNames names;
  private final Map<String, InetAddress> first = new ConcurrentHashMap<>();

  AddressOrder(HostNames names) {
    this.names = names;
  }

  @Override
  public List<InetAddress> addresses(String host, Deadline deadline) {
    List<InetAddress> found = names.addresses(host, deadline);
    InetAddress best = first.get(host);
    if (best == null || !found.contains(best)) { // The name may have other addresses by now.
      return found;
    }
    List<InetAddress> ordered = new ArrayList<>(found);
    ordered.remove(best);
    ordered.add(0, best);
    return ordered;
  }

  /** Has an address tried before all others of its host. */
  void putFirst(String host, InetAddress address) {
    first.put(host, address);
  }
}
