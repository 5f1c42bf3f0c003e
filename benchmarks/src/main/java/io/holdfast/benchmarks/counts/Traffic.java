package io.holdfast.benchmarks.counts;

import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** The traffic over the network between clients and a server, which goes through a proxy. */
final class Traffic implements ServerCounters, AutoCloseable {

  private final AtomicLong roundTrips = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong sentBytes = new AtomicLong();
  private final AtomicLong receivedBytes = new AtomicLong();
  private final Map<String, Double> names = new ConcurrentHashMap<>();
  private final Function<ByteBuffer, Optional<String>> naming;
  private final NetworkProxy proxy;

  private Traffic(
      int serverPort, Supplier<Framing> framing, Function<ByteBuffer, Optional<String>> naming) {
    this.naming = naming;
    this.proxy = NetworkProxy.to(serverPort, () -> new Counted(framing.get()));
  }

  /**
   * Begins to pass on and to count.
   *
   * @param serverPort where the server listens on 127.0.0.1
   * @param framing makes the framing of each connection
   */
  static Traffic to(int serverPort, Supplier<Framing> framing) {
    return new Traffic(serverPort, framing, request -> Optional.empty());
  }

  /**
   * The same, for a server that does not tell what it was asked for.
   *
   * @param naming tells what a request asks for
   */
  static Traffic to(
      int serverPort, Supplier<Framing> framing, Function<ByteBuffer, Optional<String>> naming) {
    return new Traffic(serverPort, framing, naming);
  }

  /** Returns the port that clients use instead of the server's. */
  int port() {
    return proxy.port();
  }

  long roundTrips() {
    return roundTrips.get();
  }

  @Override
  public Reading read() {
    return new Reading(
        Map.of(
            Figure.ROUND_TRIPS, (double) roundTrips.get(),
            Figure.REQUESTS, (double) requests.get(),
            Figure.SENT_BYTES, (double) sentBytes.get(),
            Figure.RECEIVED_BYTES, (double) receivedBytes.get()),
        names);
  }

  @Override
  public void close() {
    proxy.close();
  }

  /** Sees every piece of one connection, in the order in which it comes. */
  private final class Counted implements Framing {

    private final Framing framing;

    /** Whether an answer came since the last request: then the next one has waited for it. */
    private boolean wasAnswered = true;

    private Counted(Framing framing) {
      this.framing = framing;
    }

    @Override
    public Optional<Piece> first(Direction direction, ByteBuffer sent) {
      Optional<Piece> piece = framing.first(direction, sent);
      piece.ifPresent(found -> count(direction, found, sent.slice()));
      return piece;
    }

    private void count(Direction direction, Piece piece, ByteBuffer sent) {
      if (direction == Direction.TO_CLIENT) {
        receivedBytes.addAndGet(piece.length());
        wasAnswered |= piece.part() != Part.APART;
        return;
      }
      sentBytes.addAndGet(piece.length());
      if (piece.part() == Part.FIRST) {
        requests.incrementAndGet();
        naming.apply(sent).ifPresent(name -> names.merge(name, 1.0, Double::sum));
        if (wasAnswered) {
          roundTrips.incrementAndGet();
          wasAnswered = false;
        }
      }
    }

    @Override
    public boolean messagesStandAlone() {
      return framing.messagesStandAlone();
    }

    @Override
    public boolean knowsMessages() {
      return framing.knowsMessages();
    }
  }
}
