package io.holdfast.zookeeper.queue;

import io.holdfast.spi.answer.Standing;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.session.RememberedPosition;
import java.util.Optional;

/**
 * A look's knowledge of a request by now.
 *
 * @param position empty if it is not known
 * @param own the request's node as it was read; empty if it was not
 * @param firstShares whether the first of its queue is known to share the lock
 * @param answer empty if the queue must be listed
 */
record PlaceKnown(
    Optional<RememberedPosition> position,
    Optional<Node> own,
    boolean firstShares,
    Optional<Standing> answer) {

  static PlaceKnown of(Optional<RememberedPosition> remembered) {
    return new PlaceKnown(remembered, Optional.empty(), false, Optional.empty());
  }

  static PlaceKnown answered(Standing standing) {
    return new PlaceKnown(Optional.empty(), Optional.empty(), false, Optional.of(standing));
  }

  static PlaceKnown answered(RememberedPosition position, Standing standing) {
    return new PlaceKnown(Optional.of(position), Optional.empty(), false, Optional.of(standing));
  }

  /** The queue must be listed to tell. */
  static PlaceKnown unknown(Node own, boolean firstShares) {
    return new PlaceKnown(Optional.empty(), Optional.of(own), firstShares, Optional.empty());
  }
}
