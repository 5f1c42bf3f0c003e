package io.holdfast.redis.connection;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Makes the TLS handshake when a socket is created. By default, the first command would make it;
 * and if the server did not answer, closing would try again and take the same time once more.
 */
final class HandshakeSocketFactory extends DefaultJedisSocketFactory {

  HandshakeSocketFactory(HostAndPort host, JedisClientConfig config) {
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
