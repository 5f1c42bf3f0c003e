package io.holdfast.redis.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.redis.connection.AddressOrder.Place;
import io.holdfast.redis.connection.Dialer.Reached;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/** The Sentinels of a URI, which know the address of the master. */
final class Sentinels {

  private final Dialer dialer;
  private final Seeds seeds;
  private final String masterName;
  private final String name;

  /** A master, the Sentinel that named it, and the address of that. */
  record Master(HostAndPort address, HostAndPort sentinel, Place place) {}

  /**
   * Makes one.
   *
   * @param masterName how the Sentinels call the master
   * @param name the name of the server for messages
   */
  Sentinels(Dialer dialer, Seeds seeds, String masterName, String name) {
    this.dialer = dialer;
    this.seeds = seeds;
    this.masterName = masterName;
    this.name = name;
  }

  /** Asks the Sentinels one after the other. */
  Master master(Deadline deadline) {
    List<String> problems = new ArrayList<>();
    List<HostAndPort> sentinels = seeds.bestFirst();
    int left = sentinels.size();
    for (HostAndPort sentinel : sentinels) {
      try (TimeLimit limit = new TimeLimit(Seeds.share(deadline, left--))) {
        Reached reached = dialer.sentinel(sentinel, limit);
        Optional<HostAndPort> master = masterByName(reached);
        if (master.isPresent()) {
          return new Master(master.get(), sentinel, reached.place());
        }
        problems.add(sentinel + " knows no such master");
      } catch (RuntimeException e) {
        problems.add(sentinel + ": " + e.getMessage());
      }
    }
    throw new BackendFailure(
        Effect.NONE, "No Sentinel knows the address of %s: %s".formatted(name, problems), null);
  }

  private Optional<HostAndPort> masterByName(Reached sentinel) {
    Optional<HostAndPort> master = Optional.empty();
    try (Connection connection = sentinel.connection()) {
      connection.sendCommand(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", masterName);
      if (connection.getOne() instanceof List<?> address) {
        master =
            Optional.of(
                new HostAndPort(text(address.get(0)), Integer.parseInt(text(address.get(1)))));
      }
      return master;
    } finally {
      if (master.isEmpty()) {
        dialer.putLast(sentinel.place());
      }
    }
  }

  private static String text(Object value) {
    return new String((byte[]) value, UTF_8);
  }
}
