package io.holdfast.redis;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Shakes hands at once. Left to jedis that would be done with the first command; and when the
 * server does not answer it, once more at closing, which would take the same time again.
 */
final class Sockets extends DefaultJedisSocketFactory {

  Sockets(HostAndPort host, JedisClientConfig config) {
    super(host, config);
  }

  @Override
  public Socket createSocket() {
    Socket socket = super.createSocket();
    if (socket instanceof SSLSocket encrypted) {
      shakeHands(encrypted);
    }
    return socket;
  }

  private static void shakeHands(SSLSocket socket) {
    try {
      socket.startHandshake();
    } catch (IOException e) {
      try {
        socket.close();
      } catch (IOException atClosing) {
        e.addSuppressed(atClosing);
      }
      throw new JedisConnectionException(e);
    }
  }
}
