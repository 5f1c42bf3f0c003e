package io.holdfast.redis.connection;

import io.holdfast.spi.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Makes a socket within a time limit. That of jedis resolves the name without any, and gives each
 * address of it the whole time.
 *
 * <p>Makes the TLS handshake at once. Otherwise the first command would make it; and if the server
 * did not answer, closing would try again and take the same time once more.
 */
final class LimitedSocketFactory implements JedisSocketFactory {

  private final HostAndPort host;
  private final JedisClientConfig config;
  private final HostNames names;
  private final TimeLimit limit;
  private Optional<InetAddress> reached = Optional.empty();

  LimitedSocketFactory(
      HostAndPort host, JedisClientConfig config, HostNames names, TimeLimit limit) {
    this.host = host;
    this.config = config;
    this.names = names;
    this.limit = limit;
  }

  /** Returns the address that took a connection last, even if nothing more came of it. */
  Optional<InetAddress> reached() {
    return reached;
  }

  @Override
  public Socket createSocket() {
    Socket socket = connected();
    try {
      socket.setSoTimeout(config.getSocketTimeoutMillis());
      return config.isSsl() ? encrypted(socket) : socket;
    } catch (IOException | RuntimeException e) {
      closed(socket, e);
      throw new JedisConnectionException("No connection to " + host, e);
    }
  }

  /** Tries the addresses one after the other; each has its share of the remaining time. */
  private Socket connected() {
    List<InetAddress> addresses = names.addresses(host.getHost(), limit.deadline());
    @Nullable IOException last = null;
    int left = addresses.size();
    for (InetAddress address : addresses) {
      Socket socket = new Socket();
      limit.applyTo(socket);
      Deadline share = Deadline.in(limit.deadline().remaining().dividedBy(left--));
      try {
        socket.setKeepAlive(true);
        socket.setTcpNoDelay(true);
        socket.setSoLinger(true, 0); // A connection that is closed has nothing left to say.
        socket.connect(
            new InetSocketAddress(address, host.getPort()), Math.max(1, share.remainingMillis()));
        reached = Optional.of(address);
        return socket;
      } catch (IOException e) {
        closed(socket, e);
        last = e;
      }
    }
    throw new JedisConnectionException("No connection to " + host, last);
  }

  private Socket encrypted(Socket socket) throws IOException {
    SSLSocket encrypted =
        (SSLSocket)
            config.getSslSocketFactory().createSocket(socket, host.getHost(), host.getPort(), true);
    encrypted.setSSLParameters(config.getSslParameters());
    encrypted.startHandshake();
    return encrypted;
  }

  private static void closed(Socket socket, Exception e) {
    try {
      socket.close();
    } catch (IOException atClosing) {
      e.addSuppressed(atClosing);
    }
  }
}
