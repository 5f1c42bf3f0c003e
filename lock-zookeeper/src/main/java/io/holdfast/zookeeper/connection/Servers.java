package io.holdfast.zookeeper.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * The servers of a URI, each of which has its turn again and again, and with whose turn the next
 * connection begins: that of the server which has connected last, or the one after it if no
 * connection has come about since. So sessions do not wait for a server that stands still, neither
 * each of them once nor the same one again and again. Thread-safe.
 */
final class Servers {

  private final List<InetSocketAddress> servers;
  private final AtomicInteger next;

  /** The first connection begins at a random server, to spread the clients. */
  Servers(String addresses) {
    this.servers = List.copyOf(new ConnectStringParser(addresses).getServerAddresses());
    this.next = new AtomicInteger(ThreadLocalRandom.current().nextInt(1 << 16));
  }

  int size() {
    return servers.size();
  }

  /** Returns the turn with which a new connection begins. */
  int begin() {
    return next.getAndIncrement();
  }

  /** The server whose turn that was has connected. */
  void connected(int turn) {
    next.set(turn);
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
