package io.holdfast.tck.network;

import io.holdfast.tck.network.Conditions.Arrivals;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands on a free port of 127.0.0.1 between clients and a server, and does to their connections
 * what networks do. Every method returns when that is so. Thread-safe; has one thread, which ends
 * with {@link #close}.
 */
public final class NetworkProxy implements AutoCloseable {

  private static final byte[] LOCALHOST = {127, 0, 0, 1};

  private final InetSocketAddress server;
  private final Supplier<Framing> framing;

  private static final Duration PORT_FREE_WITHIN = Duration.ofSeconds(60);
  private static final Duration PORT_PAUSE = Duration.ofMillis(5);

  /** Never listens: keeps the port while connections are refused. */
  private final SocketChannel port = SocketChannel.open();

  private final EventLoop loop = new EventLoop(new Traffic());
  private final List<Relay> relays = new ArrayList<>();
  private volatile Conditions conditions = Conditions.GOOD;
  private @Nullable ServerSocketChannel listener;

  private NetworkProxy(int serverPort, Supplier<Framing> framing) throws IOException {
    this.server = new InetSocketAddress(InetAddress.getByAddress(LOCALHOST), serverPort);
    this.framing = framing;
    port.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    port.bind(new InetSocketAddress(InetAddress.getByAddress(LOCALHOST), 0));
  }

  /**
   * Begins to pass on.
   *
   * @param serverPort where the server listens on 127.0.0.1
   * @param framing makes the framing of each connection
   */
  public static NetworkProxy to(int serverPort, Supplier<Framing> framing) {
    try {
      NetworkProxy proxy = new NetworkProxy(serverPort, framing);
      proxy.listen();
      proxy.loop.start();
      return proxy;
    } catch (IOException e) {
      throw new IllegalStateException("No proxy can be made.", e);
    }
  }

  /** Returns the port where it stands in for the server. */
  public int port() {
    try {
      return ((InetSocketAddress) port.getLocalAddress()).getPort();
    } catch (IOException e) {
      throw new IllegalStateException("The proxy is closed.", e);
    }
  }

  /** Returns how many connections there are. */
  public int connections() {
    return loop.ask(relays::size);
  }

  // Once.

  /** Resets all connections. */
  public void cut() {
    change(() -> relays.forEach(Relay::reset));
  }

  /**
   * Tells the receivers of one way of all connections that nothing more comes, and passes nothing
   * more on to them. The other way stays.
   */
  public void halfClose(Direction direction) {
    change(
        () -> {
          for (Relay relay : relays) {
            relay.pipe(direction).shut();
          }
        });
  }

  /**
   * Makes a black hole of one way of all connections: from now on nothing that is sent arrives, not
   * even the end. They stay so for good, as what was lost cannot be made up for.
   */
  public void swallow(Direction direction) {
    change(() -> relays.forEach(relay -> relay.pipe(direction).swallow()));
  }

  // Until healed.

  /** Refuses new connections. */
  public void refuse() {
    change(
        () -> {
          conditions = conditions.withArrivals(Arrivals.REFUSED);
          stopListening();
        });
  }

  /** Swallows everything sent either way, over connections of now and those to come. */
  public void isolate() {
    change(
        () -> {
          conditions = conditions.withArrivals(Arrivals.SWALLOWED);
          relays.forEach(NetworkProxy::isolate);
        });
  }

  private static void isolate(Relay relay) {
    relay.pipe(Direction.TO_SERVER).swallow();
    relay.pipe(Direction.TO_CLIENT).swallow();
  }

  /** Delays everything by a time in each direction, also what the sender has given up meanwhile. */
  public void delay(Duration time) {
    change(() -> conditions = conditions.withDelay(time));
  }

  /** Decides the delivery of each message from now on. Called on the thread of the proxy. */
  public void decide(Function<Message, Delivery> plan) {
    change(() -> conditions = conditions.withPlan(plan));
  }

  /**
   * Makes the network good again, for connections that have lost nothing and for new ones.
   *
   * <p>A process that this JVM started meanwhile has what listened before, until it runs its own
   * program: the port is waited for.
   */
  public void heal() {
    long end = System.nanoTime() + PORT_FREE_WITHIN.toNanos();
    while (!heals(end)) {
      LockSupport.parkNanos(PORT_PAUSE.toNanos());
    }
  }

  private boolean heals(long endNanos) {
    return loop.ask(
        () -> {
          try {
            if (listener == null) {
              listen();
            }
            conditions = Conditions.GOOD;
            return true;
          } catch (BindException e) {
            if (System.nanoTime() - endNanos >= 0) {
              throw e;
            }
            return false;
          }
        });
  }

  /** Something that is done to the network. */
  private interface Change {
    void make() throws IOException;
  }

  private void change(Change change) {
    boolean unused =
        loop.ask(
            () -> {
              change.make();
              return true;
            });
  }

  private void listen() throws IOException {
    ServerSocketChannel made = ServerSocketChannel.open();
    made.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    made.configureBlocking(false);
    try {
      made.bind(port.getLocalAddress());
    } catch (IOException e) {
      made.close();
      throw e;
    }
    made.register(loop.selector(), SelectionKey.OP_ACCEPT);
    listener = made;
  }

  private void stopListening() throws IOException {
    if (listener != null) {
      listener.close();
      listener = null;
    }
  }

  private final class Traffic implements EventLoop.Work {
    @Override
    public void ready(SelectionKey key) throws IOException {
      if (key.attachment() instanceof Relay relay) {
        relay.ready(key);
      } else if (key.isValid() && key.isAcceptable()) {
        accept((ServerSocketChannel) key.channel());
      }
    }

    private void accept(ServerSocketChannel from) throws IOException {
      SocketChannel client = from.accept();
      if (client == null) {
        return;
      }
      SocketChannel toServer = SocketChannel.open();
      for (SocketChannel channel : List.of(client, toServer)) {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      }
      Relay relay = new Relay(() -> conditions, framing.get(), loop.selector(), client, toServer);
      relays.add(relay);
      if (conditions.arrivals() == Arrivals.SWALLOWED) {
        isolate(relay);
      }
      relay.connect(server);
    }

    @Override
    public long goOn(long nowNanos) {
      relays.forEach(relay -> relay.goOn(nowNanos));
      relays.removeIf(Relay::isOver);
      return relays.stream()
          .mapToLong(relay -> relay.idleNanos(nowNanos))
          .min()
          .orElse(Long.MAX_VALUE);
    }
  }

  /** Resets the connections that are left, and frees the port. */
  @Override
  public void close() {
    change(
        () -> {
          relays.forEach(Relay::reset);
          stopListening();
        });
    loop.close();
    try {
      port.close();
    } catch (IOException e) {
      throw new IllegalStateException("The proxy's port cannot be freed.", e);
    }
  }
}
