package io.holdfast.tck.store;

/** Makes a store lose writes that it has answered, by a fail-over to a replica or by a restart. */
public interface FailOverControl {

  /**
   * Executes the last writes, each of which is answered, and then continues as a new incarnation
   * without them. Returns when the store answers again. Clients may have to connect again.
   */
  void failOverLosing(Runnable lastWrites);

  /** Returns whether a replica takes over. Otherwise the same server starts again. */
  default boolean hasReplica() {
    return false;
  }

  /** Deletes all data and continues as a new incarnation. Returns when the store answers again. */
  void loseEverything();
}
