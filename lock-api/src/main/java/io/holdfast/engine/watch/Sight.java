package io.holdfast.engine.watch;

import io.holdfast.LockName;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.answer.Sighting;
import java.util.List;
import java.util.Optional;

/** The sight of a watch: one lock, or those of a prefix. */
interface Sight {

  /**
   * The states that one call to the store has read.
   *
   * @param last after this lock there is more to read; empty if all was read
   */
  record Page(List<Sighting> seen, Optional<LockName> last) {}

  /** Makes one call to the store, for what comes after a lock, or for the first page. */
  Page read(Optional<LockName> after, Deadline deadline);

  /** Stops what the store was asked for. */
  void close();
}
