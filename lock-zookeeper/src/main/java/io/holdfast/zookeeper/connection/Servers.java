package io.holdfast.zookeeper.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * The servers of a URI, each of which has its turn again and again, and whose turn it was when a
 * connection came about last: further connections begin there. Else each session that is opened
 * might first wait for a server that stands still. Thread-safe.
 */
final class Servers {

  private final List<InetSocketAddress> servers;
  private volatile int good;

  /** The first connection begins at a random server, to spread the clients. */
  Servers(String addresses) {
    this.servers = List.copyOf(new ConnectStringParser(addresses).getServerAddresses());
    this.good = ThreadLocalRandom.current().nextInt(1 << 16);
  }

  int size() {
    return servers.size();
  }

  /** Returns the turn of the server that has connected last. */
  int good() {
    return good;
  }

  /** The server whose turn that was has connected. */
  void connected(int turn) {
    good = turn;
  }

  /**
   * Returns the server whose turn it is. Resolves its name each time, since its address may change.
   * One name may have several addresses.
   */
  InetSocketAddress at(int turn) {
    int now = turn & Integer.MAX_VALUE;
    return resolve(servers.get(now % servers.size()), now / servers.size());
  }

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
}
