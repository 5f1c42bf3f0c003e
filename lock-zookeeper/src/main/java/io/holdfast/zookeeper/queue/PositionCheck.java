package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.RememberedPosition.Holding;
import io.holdfast.zookeeper.session.RememberedPosition.Waiting;
import io.holdfast.zookeeper.session.StoreClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Tells by a glance whether a known position is still a request's, and how the request stands. */
record PositionCheck(
    QueueReader reader,
    Call call,
    RequestKey key,
    Namespace namespace,
    StoreClock clock,
    Glance glance) {

  /** Of a longer queue in which sharers stand and maybe others, the names are not read. */
  private static final int LISTED_FOR_CONTENTION = 100;

  /** How many of a run are read with each look, because they may be removed soon. */
  private static final int SUSPECTS = QueueReader.HOLDERS_PER_READ / 2;

  PlaceKnown check(RememberedPosition position, boolean firstShares) {
    return position instanceof Waiting waiting
        ? waiting(waiting, firstShares)
        : holding((Holding) position, firstShares);
  }

  private PlaceKnown holding(Holding position, boolean firstShares) {
    Node own = glance.own().orElseThrow();
    Holding present =
        position
            .as(RequestData.parse(own.data()).mode(), own.stat().getVersion())
            .aheadOf(position.waiter().filter(glance::isThere));
    boolean isDowngraded = present.mode() != position.creation().place().asked();
    return contention(present)
        .map(contention -> holding(namespace, present, contention))
        .orElseGet(() -> PlaceKnown.unknown(own, firstShares || isDowngraded));
  }

  /** A request holds, as its queue was listed, and its own node was read. */
  static PlaceKnown listed(Namespace namespace, QueueOrder order, Holding position, Node own) {
    Holding present = position.as(RequestData.parse(own.data()).mode(), own.stat().getVersion());
    QueueOrder known =
        order.first().equals(position.creation().place())
            ? new QueueOrder(order.queue(), present.mode() == LockMode.SHARED)
            : order;
    return holding(
        namespace, present.aheadOf(known.waiters().stream().findFirst()), known.contention());
  }

  private static PlaceKnown holding(Namespace namespace, Holding position, Contention contention) {
    return PlaceKnown.answered(
        position,
        new Standing.Holding(
            namespace.number(position.creation().zxid()),
            position.creation().since(),
            contention,
            position.mode()));
  }

  /**
   * Empty if that takes the names of the queue: not all that share the lock are known, or it is
   * held in a level whose nodes were not counted.
   */
  private Optional<Contention> contention(Holding position) {
    if (position.waiter().isPresent()) {
      return Optional.of(Contention.SOMEBODY_WAITS);
    }
    if (!glance.isInFirstLevel()) {
      return Optional.empty();
    }
    int others = glance.nodes() - 1;
    if (position.mode() == LockMode.EXCLUSIVE || others == 0) {
      return Optional.of(Contention.of(others));
    }
    return others < LISTED_FOR_CONTENTION ? Optional.empty() : Optional.of(Contention.NOT_KNOWN);
  }

  private PlaceKnown waiting(Waiting position, boolean firstShares) {
    List<Entry> ahead = glance.entries();
    if (!glance.isThere(position.nearest())) {
      boolean isRunOver = ahead.isEmpty() && position.run().equals(glance.checked());
      return position.next() || isRunOver
          ? holding(position.handedOver(), firstShares)
          : unknown(firstShares);
    }
    if (position.creation().place().asked() == LockMode.SHARED && ahead.get(0).shares()) {
      // It was downgraded, so it is the first.
      return holding(position.handedOver(), true);
    }
    if (position.barrier().isPresent() && (ahead.isEmpty() || ahead.get(0).shares())) {
      return unknown(!ahead.isEmpty());
    }
    reader.keepTime(call, ahead, clock);
    List<Obstacle> obstacles = new ArrayList<>();
    for (Entry entry : ahead) {
      if (!entry.counts(clock)) {
        Optional<Entry> holder =
            holds(position, entry.place()) ? Optional.of(entry) : first(position);
        if (holder.isEmpty()) {
          return unknown(firstShares);
        }
        obstacles.add(
            new Obstacle(
                holder.get().observed(key.name(), namespace),
                entry.place().request(),
                entry.liveness(clock)));
      }
    }
    return PlaceKnown.answered(
        position.withRun(readNext(position.run(), ahead)),
        new Standing.Waiting(
            position.requestsAhead(),
            obstacles,
            ahead.stream()
                .flatMap(entry -> entry.dueIn(clock).stream())
                .min(Comparator.naturalOrder())));
  }

  private PlaceKnown unknown(boolean firstShares) {
    return PlaceKnown.unknown(glance.own().orElseThrow(), firstShares);
  }

  private static boolean holds(Waiting position, RequestNode place) {
    return place.equals(position.first()) || position.run().contains(place);
  }

  /** Empty if it has left: then another one holds, maybe the one that does not count. */
  private Optional<Entry> first(Waiting position) {
    return reader.entry(call, position.first());
  }

  /** So that all of a long run are read by and by, and those that may be removed each time. */
  private List<RequestNode> readNext(List<RequestNode> run, List<Entry> read) {
    List<RequestNode> suspects =
        read.stream()
            .filter(entry -> entry.data().stay().isPresent() || !entry.counts(clock))
            .limit(SUSPECTS)
            .map(Entry::place)
            .toList();
    List<RequestNode> clean = new ArrayList<>(read.stream().map(Entry::place).toList());
    clean.removeAll(suspects);
    List<RequestNode> next = new ArrayList<>(suspects);
    next.addAll(run.subList(Math.min(glance.checked().size(), run.size()), run.size()));
    next.addAll(clean);
    return run.isEmpty() ? run : next;
  }
}
