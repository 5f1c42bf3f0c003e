package io.holdfast.tck.store;

/** What the store is asked can be kept from becoming durable. */
public interface QuorumControl {

  /**
   * Does something while what clients write reaches one server of the store only, and can still be
   * undone; then lets the others catch up.
   */
  void withoutQuorum(Runnable body);
}
