package io.holdfast.jdbc.pools;

import io.holdfast.jdbc.connections.DatabaseConnection;

/** A connection that is lent, until it is given back or discarded. */
public interface Loan {

  DatabaseConnection connection();

  /** Gives it back for the next call. */
  void giveBack();

  /** Gives back one that is unusable; another will replace it. */
  void discard();
}
