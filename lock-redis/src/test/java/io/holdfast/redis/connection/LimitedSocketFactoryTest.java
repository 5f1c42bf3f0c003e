package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Whatever a host does, a connection to it is open or given up by the deadline. */
class LimitedSocketFactoryTest {

  private static final Duration LIMIT = Duration.ofSeconds(2);

  /** For what takes no time but on a machine that stands still. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final int ADDRESSES = 5;
  private static final int TRIES = 5;

  private ServerSocket server;
  private final List<Socket> clients = new ArrayList<>();

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    server.close();
  }

  private HostAndPort host() {
    return new HostAndPort("several.example", server.getLocalPort());
  }

  private Socket socket(Duration time, HostNames names) {
    try (TimeLimit limit = new TimeLimit(Deadline.in(time))) {
      int millis = (int) time.toMillis();
      return new LimitedSocketFactory(
              host(),
              DefaultJedisClientConfig.builder().socketTimeoutMillis(millis).build(),
              names,
              limit)
          .createSocket();
    }
  }

  private static List<InetAddress> loopbacks(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(
            last -> {
              try {
                return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .toList();
  }

  /** Takes connections until the machine takes none for it any more. */
  private void fill() throws IOException {
    try {
      while (true) {
        Socket client = new Socket();
        clients.add(client);
        client.connect(new InetSocketAddress(loopbacks(1, 1).get(0), server.getLocalPort()), 200);
      }
    } catch (SocketTimeoutException full) {
      assertThat(clients).hasSizeGreaterThan(1);
    }
  }

  /** Addresses whose last one knows whether there was any time left when it was its turn. */
  private static final class Turns extends AbstractList<InetAddress> {
    private final List<InetAddress> addresses = loopbacks(1, ADDRESSES);
    private final Deadline deadline;
    private boolean lastWasInTime;

    Turns(Deadline deadline) {
      this.deadline = deadline;
    }

    @Override
    public InetAddress get(int index) {
      lastWasInTime = index == ADDRESSES - 1 && !deadline.hasPassed();
      return addresses.get(index);
    }

    @Override
    public int size() {
      return ADDRESSES;
    }
  }

  /** If the machine stood still for too much of the time, it is tried again. */
  @Test
  void severalSilentAddressesShareTheTime() throws IOException {
    fill();
    List<Turns> turns = new ArrayList<>();
    Deadline timeout = Deadline.in(TIMEOUT);

    do {
      assertThatThrownBy(
              () ->
                  socket(
                      LIMIT,
                      (host, deadline) -> {
                        turns.add(new Turns(deadline));
                        return turns.get(turns.size() - 1);
                      }))
          .isInstanceOf(JedisConnectionException.class);
    } while (turns.size() < TRIES && !turns.get(turns.size() - 1).lastWasInTime);

    assertThat(turns).last().matches(last -> last.lastWasInTime, "came to the last in time");
    // The machine would give up the last one after two minutes.
    assertThat(timeout.hasPassed()).isFalse();
  }

  @Test
  void anAddressThatAnswersIsReachedBehindOneThatRefuses() throws IOException {
    server.close();
    server = new ServerSocket(0, 1, loopbacks(7, 1).get(0));

    try (Socket socket = socket(TIMEOUT, (host, deadline) -> loopbacks(6, 2))) {
      assertThat(socket.getInetAddress().getHostAddress()).isEqualTo("127.0.0.7");
    }
  }

  @Test
  void aNameThatNobodyHasIsSaidSo() {
    try (TimeLimit limit = new TimeLimit(Deadline.in(LIMIT))) {
      assertThatThrownBy(
              () -> HostNames.ofTheSystem().addresses("nobody.invalid", limit.deadline()))
          .isInstanceOf(JedisConnectionException.class)
          .hasMessageContaining("nobody.invalid");
    }
    assertThat(HostNames.ofTheSystem().addresses("127.0.0.9", Deadline.in(TIMEOUT)))
        .isEqualTo(loopbacks(9, 1));
  }

  /** Each of its bytes comes in time, and its answer never ends. */
  @Test
  void aServerThatNeverComesToAnEndIsGivenUp() throws Exception {
    ScheduledExecutorService dripping = Executors.newScheduledThreadPool(2);
    CountDownLatch givenUp = new CountDownLatch(1);
    try {
      dripping.execute(() -> drip(dripping, givenUp));
      RedisUri uri = RedisUri.of("redis://127.0.0.1:" + server.getLocalPort());
      Connector connector = new Connector(uri, Script.ATTACH, RestartGuard.ON);

      assertThatThrownBy(() -> connector.open(0, 0, Deadline.in(LIMIT)))
          .isInstanceOf(BackendFailure.class);
      assertThat(givenUp.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      dripping.shutdownNow();
    }
  }

  private void drip(ScheduledExecutorService dripping, CountDownLatch givenUp) {
    try {
      Socket client = server.accept();
      clients.add(client);
      OutputStream out = client.getOutputStream();
      out.write('+');
      drip(out, dripping, givenUp);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void drip(
      OutputStream out, ScheduledExecutorService dripping, CountDownLatch givenUp) {
    try {
      out.write('x');
      ScheduledFuture<?> next =
          dripping.schedule(() -> drip(out, dripping, givenUp), 100, TimeUnit.MILLISECONDS);
      assertThat(next.isCancelled()).isFalse();
    } catch (IOException e) {
      givenUp.countDown();
    }
  }
}
