package io.holdfast.benchmarks.rungs;

/**
 * A rung between the limit and the adapter in an SQL database. Its texts are in the form of the
 * adapter's dialects: with names for parameters and tables.
 *
 * @param adds what it does more than the step below
 * @param clause the promise that demands it
 * @param take changes the lock's row, which is free, into one that is held
 * @param leave changes it back
 */
record SqlStep(String adds, String clause, Change take, Change leave) {

  /** How a statement tells whether it has changed the row. */
  enum Tells {
    /** By the number of rows. */
    COUNT,
    /** By a row that it returns. */
    ROW,
    /** By a generated key. */
    KEY
  }

  /** A statement that changes the lock's row, or nothing. */
  record Change(String text, Tells tells) {}

  static Change counted(String text) {
    return new Change(text, Tells.COUNT);
  }

  static Change returning(String text) {
    return new Change(text, Tells.ROW);
  }

  static Change keyed(String text) {
    return new Change(text, Tells.KEY);
  }
}
