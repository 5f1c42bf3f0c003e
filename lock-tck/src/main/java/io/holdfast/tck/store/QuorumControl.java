package io.holdfast.tck.store;

/** Keeps writes to the store from becoming durable. */
public interface QuorumControl {

  /**
   * Executes a body while the writes of clients reach only one server of the store, and so can
   * still be undone. Then lets the other servers catch up.
   */
  void withoutQuorum(Runnable body);
}
