package io.holdfast.zookeeper.queue;

import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.Message;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.ZookeeperFraming;
import io.holdfast.testing.zookeeper.ZooServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.ZooDefs;

/** What a server is asked for on its way there, by the name of the operation. */
public final class ZooRequests implements AutoCloseable {

  private static final int OPERATION = 8;

  private final NetworkProxy proxy;
  private final Duration tick;
  private final Map<String, Long> counts = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong flights = new AtomicLong();

  /** Whether an answer has come since the last request; of the proxy's thread. */
  private boolean isAnswered = true;

  public ZooRequests(ZooServer server) {
    this(server.port(), ZooServer.TICK);
  }

  public ZooRequests(int port, Duration tick) {
    this.tick = tick;
    this.proxy = NetworkProxy.to(port, ZookeeperFraming::new);
    proxy.decide(this::count);
  }

  public String address() {
    return "127.0.0.1:" + proxy.port();
  }

  public String uri() {
    return "zookeeper://%s?tickTime=%d".formatted(address(), tick.toMillis());
  }

  private Delivery count(Message message) {
    // Not pings and events, which come whenever they like.
    if (message.part() == Framing.Part.FIRST) {
      bytes.addAndGet(message.text().length());
    }
    if (message.isAnswer()) {
      isAnswered = true;
    }
    if (message.isRequest()) {
      if (isAnswered) {
        flights.incrementAndGet();
      }
      isAnswered = false;
      byte[] bytes = message.text().getBytes(StandardCharsets.ISO_8859_1);
      counts.merge(name(ByteBuffer.wrap(bytes).getInt(OPERATION)), 1L, Long::sum);
    }
    return Delivery.PASS;
  }

  private static String name(int operation) {
    return switch (operation) {
      case ZooDefs.OpCode.create2 -> "create";
      case ZooDefs.OpCode.createContainer -> "createContainer";
      case ZooDefs.OpCode.delete -> "delete";
      case ZooDefs.OpCode.exists -> "exists";
      case ZooDefs.OpCode.getData -> "getData";
      case ZooDefs.OpCode.setData -> "setData";
      case ZooDefs.OpCode.getChildren2 -> "getChildren";
      case ZooDefs.OpCode.sync -> "sync";
      case ZooDefs.OpCode.multi -> "multi";
      case ZooDefs.OpCode.multiRead -> "multiRead";
      case ZooDefs.OpCode.closeSession -> "closeSession";
      default -> "operation " + operation;
    };
  }

  /** Returns how often each operation was asked for since the last call. */
  public Map<String, Long> sinceLast() {
    Map<String, Long> since = new TreeMap<>(counts);
    counts.clear();
    return since;
  }

  /** Delays everything by a time each way, so that what is sent at once is sent before answers. */
  public void delay(Duration time) {
    proxy.delay(time);
  }

  /** Returns how often something was sent after an answer had come since the last call. */
  public long flightsSinceLast() {
    return flights.getAndSet(0);
  }

  /** Returns how many bytes of requests and answers came and went since the last call. */
  public long bytesSinceLast() {
    return bytes.getAndSet(0);
  }

  @Override
  public void close() {
    proxy.close();
  }
}
