package io.holdfast.spi;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.answer.Sighting;

/** A watched lock of which a store tells nothing that is not asked for. */
record PolledWatching(LockBackend store, LockName name) implements Watching {

  @Override
  public Sighting read(int waiters, Deadline deadline) {
    return Sighting.of(
        store.inspect(name, waiters, deadline).orElseGet(() -> LockRecord.unknown(name)));
  }

  @Override
  public void close() {
    // Has nothing to stop.
  }
}
