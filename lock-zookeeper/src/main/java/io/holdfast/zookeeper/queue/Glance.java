package io.holdfast.zookeeper.queue;

import io.holdfast.spi.RequestKey;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * What is asked of a request before its queue is listed: how long that is, and, where a position is
 * remembered, whether the request and the nearest ahead of it are there, and how the head is.
 *
 * @param from which of the reads that are made at once is its first
 */
record Glance(Paths paths, RequestKey key, Optional<RememberedPosition> position, int from) {

  private static final int QUEUE = 0;
  private static final int MINE = 1;
  private static final int NEAREST = 2;
  private static final int HEAD = 3;
  private static final int SESSION_OF_NEAREST = HEAD + Head.READS;

  List<Op> reads() {
    List<Op> reads = new ArrayList<>();
    reads.add(Op.getData(paths.queue(key.name())));
    position.ifPresent(
        remembered -> {
          // Whether they are there: requests have nothing below them, but may have large data.
          reads.add(Op.getChildren(remembered.creation().place().path()));
          remembered
              .nearest()
              .ifPresent(
                  nearest -> {
                    reads.add(Op.getChildren(nearest.path()));
                    reads.addAll(Head.reads(paths, remembered.head()));
                    reads.add(Op.getData(paths.session(nearest.request().session())));
                  });
        });
    return reads;
  }

  /** Returns how many nodes the queue has. */
  int nodes(List<OpResult> all) {
    return Node.of(all.get(from + QUEUE)).map(queue -> queue.stat().getNumChildren()).orElse(0);
  }

  /** Returns the remembered position if the request is still there. */
  Optional<RememberedPosition> standsThere(List<OpResult> all) {
    return position.filter(remembered -> Node.isThere(all.get(from + MINE)));
  }

  boolean isNearestThere(List<OpResult> all) {
    return Node.isThere(all.get(from + NEAREST));
  }

  /** Empty if the head that is remembered has left. */
  Optional<Head> head(List<OpResult> all, RequestNode place) {
    return Head.of(place, all.subList(from + HEAD, from + HEAD + Head.READS));
  }

  boolean isSessionOfNearestOver(List<OpResult> all) {
    return Node.of(all.get(from + SESSION_OF_NEAREST)).isEmpty();
  }
}
