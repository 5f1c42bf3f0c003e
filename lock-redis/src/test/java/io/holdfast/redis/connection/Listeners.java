package io.holdfast.redis.connection;

import static org.awaitility.Awaitility.await;

import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** Sockets that listen on ports which tests choose, one test after the other the same. */
final class Listeners {

  private static final Duration FREE_WITHIN = Duration.ofSeconds(60);
  private static final int BACKLOG = 50;

  private Listeners() {}

  /**
   * Listens, as soon as nothing else does. A process that this JVM started has what listened
   * before, until it runs its own program: the port is waited for.
   *
   * @param port 0 for any
   */
  static ServerSocket listen(InetAddress address, int port) {
    return await()
        .atMost(FREE_WITHIN)
        .ignoreException(BindException.class)
        .until(() -> new ServerSocket(port, BACKLOG, address), ServerSocket::isBound);
  }
}
