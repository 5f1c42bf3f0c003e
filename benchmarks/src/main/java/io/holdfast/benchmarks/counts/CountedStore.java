package io.holdfast.benchmarks.counts;

import io.holdfast.spi.LockBackend;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A store without data, started with the settings that counting needs. */
public final class CountedStore implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CountedStore.class);

  private final String description;
  private final Supplier<LockBackend> connecting;
  private final List<ServerCounters> counters;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /**
   * Takes over a store.
   *
   * @param description how it is set up, for people
   * @param connecting makes a connection of its own, which is counted
   * @param counters the counters
   * @param parts those that are closed with it, in this order
   */
  CountedStore(
      String description,
      Supplier<LockBackend> connecting,
      List<ServerCounters> counters,
      List<AutoCloseable> parts) {
    this.description = description;
    this.connecting = connecting;
    this.counters = List.copyOf(counters);
    this.parts.addAll(parts);
  }

  /** Returns how it is set up, and what its figures mean where that is not obvious. */
  public String description() {
    return description;
  }

  /** Returns a connection of its own. The caller closes it. */
  public LockBackend connect() {
    return connecting.get();
  }

  /** Returns whether there is anything to be counted. */
  boolean isAsked() {
    return !counters.isEmpty();
  }

  /** Returns what all counters show now. */
  Reading read() {
    return counters.stream().map(ServerCounters::read).reduce(Reading::plus).orElseThrow();
  }

  /** Returns how many round trips there were, where there is a network. */
  OptionalLong roundTrips() {
    Optional<Traffic> traffic =
        counters.stream().filter(Traffic.class::isInstance).map(Traffic.class::cast).findFirst();
    return traffic.isPresent() ? OptionalLong.of(traffic.get().roundTrips()) : OptionalLong.empty();
  }

  @Override
  public void close() {
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("Left open: {}", part, e);
      }
    }
  }
}
