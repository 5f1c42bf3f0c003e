package io.holdfast.benchmarks.counts;

import java.util.List;

/**
 * The counts on a store.
 *
 * @param store its kind
 * @param settings how it was set up
 * @param costs the costs of operations; empty if nothing is asked of it
 * @param heap the memory that a client uses
 */
public record StoreCounts(String store, String settings, List<Cost> costs, HeapCost heap) {

  /** How often a lock goes round in one window of those who take turns. */
  public static final int TURNS_IN_WINDOW = ContendingClients.TURNS_IN_WINDOW;

  /** Of so many such windows the median counts. */
  public static final int WINDOWS_OF_TURNS = ContendingClients.WINDOWS;

  /** Counts. */
  public static StoreCounts of(String kind, CountedStore store, Sizes sizes) {
    Meter meter = new Meter(store);
    if (store.isAsked()) {
      HeldLocks.count(store, meter, sizes.held());
      ContendingClients.count(store, meter, sizes.waits());
      WaitingQueue.count(store, meter, sizes.waiting());
    }
    HeapCost heap = HeapCost.of(store, sizes.heldInHeap(), sizes.waitingInHeap());
    return new StoreCounts(kind, store.description(), meter.costs(), heap);
  }
}
