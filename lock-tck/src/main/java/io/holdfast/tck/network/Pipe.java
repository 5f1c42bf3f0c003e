package io.holdfast.tck.network;

import io.holdfast.tck.network.Framing.Part;
import io.holdfast.tck.network.Framing.Piece;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** One way of a connection. Used by the proxy's thread alone. */
final class Pipe {

  private static final int READ_MAX = 1 << 16;

  final SocketChannel from;
  final SocketChannel to;
  private final Direction direction;
  private final Relay relay;
  private final Deque<Late> late = new ArrayDeque<>();
  private ByteBuffer rest = ByteBuffer.allocate(0);
  private boolean swallows;
  private boolean hasEnded;
  private boolean shuts;
  private boolean isShut;

  /** Bytes that are on their way until then. */
  private record Late(ByteBuffer bytes, long dueNanos) {}

  Pipe(Direction direction, SocketChannel from, SocketChannel to, Relay relay) {
    this.direction = direction;
    this.from = from;
    this.to = to;
    this.relay = relay;
  }

  /** From now on nothing that is sent arrives, not even that the connection was closed. */
  void swallow() {
    swallowWhatFollows();
    late.clear();
  }

  /** The same, but for bytes on their way. */
  void swallowWhatFollows() {
    swallows = true;
    rest = ByteBuffer.allocate(0);
  }

  boolean swallows() {
    return swallows;
  }

  /** Tells the receiver that nothing more comes, even if the sender still sends. */
  void shut() {
    swallow();
    shuts = true;
  }

  private void shutOutput() throws IOException {
    if (!isShut) {
      isShut = true;
      to.shutdownOutput();
    }
  }

  /** Returns whether nothing comes any more. */
  boolean hasEnded() {
    return hasEnded;
  }

  void end() {
    hasEnded = true;
  }

  /** Returns whether nothing is left to be done. */
  boolean isOver() {
    return hasEnded && (isShut || swallows);
  }

  void read() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(rest.remaining() + READ_MAX).put(rest);
    hasEnded = from.read(buffer) < 0;
    rest = buffer.flip();
    if (swallows) {
      rest = ByteBuffer.allocate(0);
    }
    while (rest.hasRemaining() && !relay.isOver()) {
      Optional<Piece> first = relay.framing().first(direction, rest.slice());
      if (first.isEmpty()) {
        break;
      }
      pass(first.get());
    }
    if (hasEnded && rest.hasRemaining() && !relay.isOver()) {
      pass(new Piece(rest.remaining(), Part.APART));
    }
  }

  private void pass(Piece piece) {
    byte[] bytes = new byte[piece.length()];
    rest.get(bytes);
    relay.pass(
        new Message(direction, piece.part(), new String(bytes, StandardCharsets.ISO_8859_1)));
  }

  void send(Message message, long dueNanos) {
    late.add(
        new Late(ByteBuffer.wrap(message.text().getBytes(StandardCharsets.ISO_8859_1)), dueNanos));
  }

  /** Passes on the bytes that are due. The receiver is connected. */
  void flush(long nowNanos) throws IOException {
    while (isDue(nowNanos)) {
      ByteBuffer next = late.element().bytes();
      to.write(next);
      if (next.hasRemaining()) {
        return;
      }
      late.remove();
    }
    if (shuts || (hasEnded && late.isEmpty() && !swallows)) {
      shutOutput();
    }
  }

  /** Returns whether there is something to be passed on; after a flush, it found no room. */
  boolean isDue(long nowNanos) {
    return !late.isEmpty() && late.element().dueNanos() - nowNanos <= 0;
  }

  /** Returns after what time something is due that is not yet. */
  long idleNanos(long nowNanos) {
    return late.isEmpty() || isDue(nowNanos)
        ? Long.MAX_VALUE
        : late.element().dueNanos() - nowNanos;
  }
}
