package io.holdfast.tck.store;

/** Deletes all records of a namespace, as by hand, while its clients run. */
public interface WipeControl {

  /** Deletes every record of the namespace, its settings too. The store keeps running. */
  void wipe();
}
