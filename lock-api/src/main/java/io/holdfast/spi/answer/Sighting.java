package io.holdfast.spi.answer;

import io.holdfast.record.LockRecord;
import java.util.Optional;

/**
 * A lock's state as it was read for a watch.
 *
 * @param record the state
 * @param edition its place in the order of the lock's states; empty if the store does not tell,
 *     because it has no record of the lock
 */
public record Sighting(LockRecord record, Optional<Edition> edition) {

  /** Makes a sighting in a store that has no other order than that of the numbers. */
  public static Sighting of(LockRecord record) {
    return new Sighting(
        record,
        record.number() == 0 ? Optional.empty() : Optional.of(new Edition(record.number(), 0)));
  }
}
