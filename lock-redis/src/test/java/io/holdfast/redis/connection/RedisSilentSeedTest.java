package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisSentinel;
import io.holdfast.testing.redis.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first address of a URI takes connections and answers nothing. */
@Tag("server")
class RedisSilentSeedTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final int TRIES = 5;

  private final List<Socket> taken = new CopyOnWriteArrayList<>();
  private ServerSocket silent;

  @BeforeEach
  void listen() throws IOException {
    silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread taking = new Thread(this::take, "silent-seed");
    taking.setDaemon(true);
    taking.start();
  }

  private void take() {
    try {
      while (true) {
        taken.add(silent.accept());
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  @AfterEach
  void stopListening() throws IOException {
    silent.close();
    forget();
  }

  private void forget() throws IOException {
    for (Socket socket : taken) {
      socket.close();
    }
    taken.clear();
  }

  /**
   * Connects behind the silent address. A client opens a dozen connections and more; only the first
   * waits for an answer from there. If the machine stood still while another was opened, the silent
   * address is asked again, and the test begins anew: in a namespace that takes as many.
   */
  private void isAskedOnce(String uri) throws IOException {
    for (int tries = 0; taken.size() != 1 && tries < TRIES; tries++) {
      forget();
      acquire(uri + "?prefix=silent" + tries);
    }
    assertThat(taken).hasSize(1);
  }

  private void acquire(String uri) {
    String address = "//127.0.0.1:" + silent.getLocalPort() + ",";
    try (LockClient client =
            Holdfast.builder().withoutRestartGuard().connect(uri.replace("//", address));
        Grant held = client.lock("a").acquire(TIMEOUT)) {
      held.check();
    }
  }

  @Test
  void aSilentSentinelIsPassedOver() throws IOException {
    try (RedisServer master = RedisServer.launch("--repl-diskless-sync-delay", "0");
        RedisServer replica = RedisServer.replicaOf(master.port());
        RedisSentinel sentinel = RedisSentinel.watching(master.port())) {
      isAskedOnce(sentinel.uri());
    }
  }

  @Test
  void aSilentNodeOfAClusterIsPassedOver() throws IOException {
    try (RedisCluster cluster = RedisCluster.launch(0)) {
      isAskedOnce("redis-cluster://" + cluster.addresses());
    }
  }
}
