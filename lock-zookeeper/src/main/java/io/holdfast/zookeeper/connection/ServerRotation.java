package io.holdfast.zookeeper.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;

/**
 * The order in which the servers are tried. Each new client goes on where the last one stopped. A
 * hanging server accepts connections and never answers; with a random order, a session might try it
 * again until its lease is over. Thread-safe.
 */
final class ServerRotation {

  private final List<InetSocketAddress> servers;
  private final AtomicInteger turn;

  /** Begins at a random server, to spread the clients. */
  ServerRotation(String addresses) {
    this.servers = List.copyOf(new ConnectStringParser(addresses).getServerAddresses());
    this.turn = new AtomicInteger(ThreadLocalRandom.current().nextInt(1 << 16));
  }

  /** Returns the servers in the order in which a new connection is to try them. */
  HostProvider hostProvider() {
    return new RotatingHostProvider();
  }

  private InetSocketAddress next() {
    int now = turn.getAndIncrement() & Integer.MAX_VALUE;
    return resolve(servers.get(now % servers.size()), now / servers.size());
  }

  /**
   * Resolves a server's name each time, since its address may change. One name may have several
   * addresses.
   */
  private static InetSocketAddress resolve(InetSocketAddress server, int round) {
    try {
      InetAddress[] found = InetAddress.getAllByName(server.getHostString());
      Arrays.sort(found, Comparator.comparing(InetAddress::getHostAddress));
      return new InetSocketAddress(found[round % found.length], server.getPort());
    } catch (UnknownHostException e) {
      // The library says so when it comes to connect.
      return server;
    }
  }

  private final class RotatingHostProvider implements HostProvider {
    private final AtomicInteger tries = new AtomicInteger();

    @Override
    public int size() {
      return servers.size();
    }

    /** Pauses after each round in vain, on the library's thread, as its own providers do. */
    @Override
    public InetSocketAddress next(long pauseMillis) {
      int tried = tries.getAndIncrement();
      if (tried > 0 && tried % servers.size() == 0) {
        try {
          Thread.sleep(pauseMillis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return ServerRotation.this.next();
    }

    @Override
    public void onConnected() {
      tries.set(0);
    }

    /** The servers of a URI stay as they are. */
    @Override
    public boolean updateServerList(
        Collection<InetSocketAddress> addresses, InetSocketAddress current) {
      return false;
    }
  }
}
