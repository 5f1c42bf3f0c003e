package io.holdfast.tck.store;

/** All of a namespace's records can be deleted by hand, while its clients run. */
public interface WipeControl {

  /** Deletes every record of the namespace, its own too. The store goes on as it is. */
  void wipe();
}
