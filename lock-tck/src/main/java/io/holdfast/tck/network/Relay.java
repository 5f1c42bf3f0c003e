package io.holdfast.tck.network;

import io.holdfast.tck.network.Framing.Part;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** A client's connection and the one to the server that belongs to it. */
final class Relay {

  private final Supplier<Conditions> conditions;
  private final Framing framing;
  private final SelectionKey clientKey;
  private final SelectionKey serverKey;
  private final Pipe toServer;
  private final Pipe toClient;

  /** For each answer that is to come, whether the client expects it. */
  private final Deque<Boolean> expected = new ArrayDeque<>();

  /** The answer to a request that was doubled, until its copy is answered, too. */
  private final Deque<Message> held = new ArrayDeque<>();

  private boolean losesAnswer;
  private boolean isOver;

  /** Takes over two channels, of which that to the server is not yet connected. */
  Relay(
      Supplier<Conditions> conditions,
      Framing framing,
      Selector selector,
      SocketChannel client,
      SocketChannel server)
      throws ClosedChannelException {
    this.conditions = conditions;
    this.framing = framing;
    this.toServer = new Pipe(Direction.TO_SERVER, client, server, this);
    this.toClient = new Pipe(Direction.TO_CLIENT, server, client, this);
    this.clientKey = client.register(selector, 0, this);
    this.serverKey = server.register(selector, SelectionKey.OP_CONNECT, this);
  }

  /** Begins to connect to the server. */
  void connect(SocketAddress server) {
    try {
      // Where it succeeds at once, the selector tells so too.
      boolean unused = toServer.to.connect(server);
    } catch (IOException e) {
      lost(toClient);
    }
  }

  Framing framing() {
    return framing;
  }

  boolean isOver() {
    return isOver;
  }

  Pipe pipe(Direction direction) {
    return direction == Direction.TO_SERVER ? toServer : toClient;
  }

  /** Does what a channel is ready for. */
  void ready(SelectionKey key) {
    Pipe pipe = key == clientKey ? toServer : toClient;
    if (!key.isValid()) {
      return;
    }
    try {
      if (key.isConnectable()) {
        pipe.from.finishConnect();
      } else if (key.isReadable()) {
        pipe.read();
      }
    } catch (IOException e) {
      lost(pipe);
    }
  }

  /** Passes on the bytes that are due, and waits for more. */
  void goOn(long nowNanos) {
    flush(toServer, nowNanos);
    flush(toClient, nowNanos);
    if (toServer.isOver() && toClient.isOver()) {
      end();
    }
    if (!isOver && toServer.to.isConnected()) {
      await(clientKey, toServer, toClient, nowNanos);
      await(serverKey, toClient, toServer, nowNanos);
    }
  }

  private void flush(Pipe pipe, long nowNanos) {
    if (isOver || !pipe.to.isConnected()) {
      return;
    }
    try {
      pipe.flush(nowNanos);
    } catch (IOException e) {
      lost(pipe(pipe == toServer ? Direction.TO_CLIENT : Direction.TO_SERVER));
    }
  }

  private static void await(SelectionKey key, Pipe out, Pipe in, long nowNanos) {
    if (key.isValid()) {
      key.interestOps(
          (out.hasEnded() ? 0 : SelectionKey.OP_READ)
              | (in.isDue(nowNanos) ? SelectionKey.OP_WRITE : 0));
    }
  }

  /** Its sender is gone. The other side learns of it unless nothing gets there. */
  private void lost(Pipe pipe) {
    if (!pipe.swallows()) {
      reset();
      return;
    }
    close(pipe.from);
    pipe.end();
    pipe(pipe == toServer ? Direction.TO_CLIENT : Direction.TO_SERVER).swallow();
  }

  /** Decides about a message. */
  void pass(Message message) {
    boolean isExpected = message.direction() == Direction.TO_SERVER || isExpected(message.part());
    Delivery delivery = isExpected ? conditions.get().plan().apply(message) : Delivery.LOSE;
    switch (delivery) {
      case PASS -> send(message);
      case DOUBLE -> {
        send(message);
        if (message.isRequest() && framing.messagesStandAlone()) {
          send(message);
          expected.removeLast();
          expected.add(false);
        }
      }
      case LOSE -> {
        losesAnswer |= message.isAnswer();
        if (!framing.messagesStandAlone()) {
          pipe(message.direction()).swallowWhatFollows();
        }
      }
      case CUT -> reset();
    }
  }

  private boolean isExpected(Part part) {
    if (part == Part.FIRST) {
      losesAnswer = !expected.isEmpty() && !expected.remove();
      if (losesAnswer) {
        held.forEach(this::deliver);
        held.clear();
      }
    }
    return part == Part.APART || !losesAnswer;
  }

  private void send(Message message) {
    if (message.isRequest()) {
      expected.add(true);
    }
    boolean isCopyUnderWay = Boolean.FALSE.equals(expected.peek());
    if (message.direction() == Direction.TO_CLIENT && isCopyUnderWay) {
      held.add(message);
    } else {
      deliver(message);
    }
  }

  private void deliver(Message message) {
    pipe(message.direction()).send(message, System.nanoTime() + conditions.get().delay().toNanos());
  }

  long idleNanos(long nowNanos) {
    return Math.min(toServer.idleNanos(nowNanos), toClient.idleNanos(nowNanos));
  }

  /** Tells both sides that the connection broke. */
  void reset() {
    for (SocketChannel channel : List.of(toServer.from, toServer.to)) {
      try {
        if (channel.isOpen()) {
          channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
      } catch (IOException e) {
        throw new IllegalStateException("A connection cannot be reset.", e);
      }
    }
    end();
  }

  private void end() {
    isOver = true;
    close(toServer.from);
    close(toServer.to);
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException("A connection cannot be closed.", e);
    }
  }
}
