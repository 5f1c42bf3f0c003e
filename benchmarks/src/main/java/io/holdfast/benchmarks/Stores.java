package io.holdfast.benchmarks;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;

/** Where the locks of a benchmark lie. */
final class Stores {

  private Stores() {}

  /** Returns a client of a store in memory that nobody else uses. */
  static LockClient memory() {
    return client(memory(Wakeup.PUSH));
  }

  static MemoryStore memory(Wakeup wakeup) {
    return new MemoryStore("benchmark", MemoryOptions.DEFAULTS.wakeup(wakeup));
  }

  static LockClient client(MemoryStore store) {
    return Holdfast.builder().connect(store.connect(BackendOptions.DEFAULTS));
  }
}
