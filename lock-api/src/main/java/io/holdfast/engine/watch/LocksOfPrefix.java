package io.holdfast.engine.watch;

import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.answer.Sighting;
import java.util.List;
import java.util.Optional;

/**
 * The held locks whose names begin with a prefix. They are listed; a hint for each of them would
 * cost more than that.
 *
 * @param notThis a name that is not this client's, though it begins so
 */
record LocksOfPrefix(CheckedBackend store, String prefix, String notThis) implements Sight {

  private static final int PAGE = 100;

  @Override
  public Page read(Optional<LockName> after, Deadline deadline) {
    List<LockRecord> page = store.list(prefix, after, PAGE, deadline);
    return new Page(
        page.stream()
            .filter(lock -> !lock.name().value().equals(notThis))
            .map(lock -> Sighting.of(lock.withFirst(LockClient.WAITERS_READ)))
            .toList(),
        page.size() < PAGE ? Optional.empty() : Optional.of(page.get(PAGE - 1).name()));
  }

  @Override
  public void close() {
    // Has nothing to stop.
  }
}
