package io.holdfast.zookeeper.queue;

import io.holdfast.spi.RequestKey;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.RememberedPosition.Holding;
import io.holdfast.zookeeper.session.RememberedPosition.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * The questions about a request without listing its queue: how long that is, and, where a position
 * is known, its node and those of others that decide whether the position is still right. Their
 * number does not depend on how many wait.
 */
final class Glance {

  private static final int QUEUE = 0;
  private static final int OWN = 1;
  private static final int OTHERS = 2;

  private final Paths paths;
  private final RequestKey key;
  private final Optional<RememberedPosition> position;
  private final List<RequestNode> checked;
  private final Optional<RequestNode> other;
  private List<OpResult> found = List.of();

  Glance(Paths paths, RequestKey key, Optional<RememberedPosition> position) {
    this.paths = paths;
    this.key = key;
    this.position = position;
    this.checked = position.map(Glance::checked).orElse(List.of());
    this.other = position.flatMap(Glance::other).filter(place -> !checked.contains(place));
  }

  /** Those whose data and sessions are read. */
  private static List<RequestNode> checked(RememberedPosition position) {
    if (!(position instanceof Waiting waiting)) {
      return List.of();
    }
    if (waiting.barrier().isPresent()) {
      return waiting.barrier().stream().toList();
    }
    return waiting.run().isEmpty() ? List.of(waiting.nearest()) : QueueReader.some(waiting.run());
  }

  /** One that is only asked whether it is there. */
  private static Optional<RequestNode> other(RememberedPosition position) {
    return position instanceof Holding holding
        ? holding.waiter()
        : Optional.of(((Waiting) position).nearest());
  }

  List<Op> reads() {
    List<Op> reads = new ArrayList<>();
    reads.add(Op.getData(paths.queue(key.name())));
    position.ifPresent(known -> reads.add(Op.getData(known.creation().place().path())));
    checked.forEach(place -> reads.addAll(Entry.reads(paths, place)));
    // Requests have nothing below them, but may have large data.
    other.ifPresent(place -> reads.add(Op.getChildren(place.path())));
    return reads;
  }

  /** Takes the results read at once for several glances, and returns those for the next. */
  List<OpResult> found(List<OpResult> all) {
    int reads = reads().size();
    found = all.subList(0, reads);
    return all.subList(reads, all.size());
  }

  /** Returns whether the position is known, and among the nodes of the queue that are counted. */
  boolean isInFirstLevel() {
    return position
        .filter(known -> known.creation().place().isIn(paths.queue(key.name())))
        .isPresent();
  }

  /** Returns how many nodes the queue has in its first level. */
  int nodes() {
    return Node.of(found.get(QUEUE)).map(queue -> queue.stat().getNumChildren()).orElse(0);
  }

  /** Returns the request's own node; empty if it is not there, or it is not known where. */
  Optional<Node> own() {
    return position.flatMap(known -> Node.of(found.get(OWN)));
  }

  /** Returns those that were read with their sessions, without those that have left. */
  List<Entry> entries() {
    return QueueReader.entries(
        checked, found.subList(OTHERS, OTHERS + checked.size() * Entry.READS));
  }

  Optional<Entry> entry(RequestNode place) {
    return entries().stream().filter(entry -> entry.place().equals(place)).findFirst();
  }

  List<RequestNode> checked() {
    return checked;
  }

  /** Returns whether another one, of those that were asked for, is there. */
  boolean isThere(RequestNode place) {
    return other.filter(place::equals).isPresent()
        ? Node.isThere(found.get(found.size() - 1))
        : entry(place).isPresent();
  }
}
