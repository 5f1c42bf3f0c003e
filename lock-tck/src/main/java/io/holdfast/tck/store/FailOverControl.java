package io.holdfast.tck.store;

/** The store can lose what it has answered: by a fail-over to a replica, or by a restart. */
public interface FailOverControl {

  /**
   * Does the last writes, each of which is answered, and then goes on as a new incarnation without
   * them. Returns when the store answers again. Connections may have to be made anew.
   */
  void failOverLosing(Runnable lastWrites);

  /** Returns whether a replica takes over; else the same server starts again. */
  default boolean hasReplica() {
    return false;
  }

  /** Loses all data and goes on as a new incarnation. Returns when the store answers again. */
  void loseEverything();
}
