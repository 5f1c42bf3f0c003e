package io.holdfast.redis.connection;

import io.holdfast.spi.Deadline;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of a host, in the order in which they are tried: the one that led to a usable
 * server last comes first, as {@link Seeds} has it for the hosts of a URI. Otherwise each new
 * connection might wait for an address that is silent. Those that took a connection which led to
 * nothing come last: a server behind them may never be usable again, and the next one may be.
 */
final class AddressOrder implements HostNames {

  private final HostNames names;
  private final Map<String, Known> hosts = new ConcurrentHashMap<>();

  /** An address that a host has. */
  record Place(String host, InetAddress address) {}

  /**
   * The known best and worst addresses of a host.
   *
   * @param best led to a usable server last
   * @param worst led to nothing, the one that did so last at the end
   */
  private record Known(Optional<InetAddress> best, List<InetAddress> worst) {

    static final Known NOTHING = new Known(Optional.empty(), List.of());

    Known withBest(InetAddress address) {
      return new Known(Optional.of(address), without(address).worst);
    }

    Known withWorst(InetAddress address) {
      Known others = without(address);
      List<InetAddress> all = new ArrayList<>(others.worst);
      all.add(address);
      return new Known(others.best, List.copyOf(all));
    }

    private Known without(InetAddress address) {
      return new Known(
          best.filter(other -> !other.equals(address)),
          worst.stream().filter(other -> !other.equals(address)).toList());
    }

    /** Forgets the addresses that the host has no more. */
    Known only(List<InetAddress> found) {
      return new Known(
          best.filter(found::contains), worst.stream().filter(found::contains).toList());
    }

    List<InetAddress> inOrder(List<InetAddress> found) {
      List<InetAddress> ordered = new ArrayList<>();
      best.ifPresent(ordered::add);
      found.stream()
          .filter(address -> !ordered.contains(address) && !worst.contains(address))
          .forEach(ordered::add);
      ordered.addAll(worst);
      return ordered;
    }
  }

  AddressOrder(HostNames names) {
    this.names = names;
  }

  @Override
  public List<InetAddress> addresses(String host, Deadline deadline) {
    List<InetAddress> found = names.addresses(host, deadline);
    return Optional.ofNullable(hosts.computeIfPresent(host, (same, known) -> known.only(found)))
        .map(known -> known.inOrder(found))
        .orElse(found);
  }

  /** Has an address tried before all others of its host. */
  void putFirst(Place usable) {
    hosts.compute(usable.host(), (host, known) -> of(known).withBest(usable.address()));
  }

  /** Has an address tried after all others of its host. */
  void putLast(Place useless) {
    hosts.compute(useless.host(), (host, known) -> of(known).withWorst(useless.address()));
  }

  private static Known of(@Nullable Known known) {
    return known == null ? Known.NOTHING : known;
  }
}
