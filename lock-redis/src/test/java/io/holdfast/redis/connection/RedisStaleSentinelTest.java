package io.holdfast.redis.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.testing.redis.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One of two Sentinels still names a server that is not the master any more. */
@Tag("server")
class RedisStaleSentinelTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  /** Names one server as the master, whoever asks and for whatever name. */
  private static final class FakeSentinel implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger asked = new AtomicInteger();
    private final String answer;

    FakeSentinel(RedisServer master) throws IOException {
      String port = Integer.toString(master.port());
      this.answer = String.join("\r\n", "*2", "$9", "127.0.0.1", "$" + port.length(), port, "");
      start(this::accept);
    }

    private static void start(Runnable task) {
      Thread thread = new Thread(task, "fake-sentinel");
      thread.setDaemon(true);
      thread.start();
    }

    private void accept() {
      try {
        while (true) {
          Socket client = socket.accept();
          start(() -> serve(client));
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void serve(Socket client) {
      try (client;
          BufferedReader in =
              new BufferedReader(new InputStreamReader(client.getInputStream(), ISO_8859_1))) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          if (line.equals("SENTINEL")) {
            asked.incrementAndGet();
            client.getOutputStream().write(answer.getBytes(ISO_8859_1));
          } else if (line.equals("CLIENT")) {
            client.getOutputStream().write("+OK\r\n".getBytes(ISO_8859_1));
          }
        }
      } catch (IOException e) {
        // The client has left.
      }
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The stale one is asked while the other cannot be reached, and not for ever after. */
  @Test
  void aSentinelWhoseMasterIsOfNoUseIsAskedAfterTheOthers() throws IOException {
    try (RedisServer master = RedisServer.launch("--repl-diskless-sync-delay", "0");
        RedisServer replica = RedisServer.replicaOf(master.port());
        FakeSentinel good = new FakeSentinel(master);
        FakeSentinel stale = new FakeSentinel(replica);
        NetworkProxy link = NetworkProxy.to(good.port(), Framing::none);
        LockClient client =
            Holdfast.builder()
                .withoutRestartGuard()
                .connect(
                    "redis-sentinel://127.0.0.1:%d,127.0.0.1:%d/main"
                        .formatted(link.port(), stale.port()))) {
      client.lock("a").acquire(TIMEOUT).release();
      link.refuse();
      link.cut();
      // Each connection of the client that breaks is replaced by way of a Sentinel.
      await()
          .atMost(TIMEOUT)
          .until(
              () -> {
                master.command("CLIENT", "KILL", "TYPE", "normal");
                client.health();
                return stale.asked.get() > 0;
              });
      link.heal();

      try (Grant grant = client.lock("a").acquire(TIMEOUT)) {
        grant.check();
      }
      assertThat(good.asked).hasPositiveValue();
    }
  }
}
