package io.holdfast.testing.server;

/** A database server, and one that takes its place when it dies. Used by one thread at a time. */
public interface DatabasePair extends AutoCloseable {

  /** Returns the URI of the database, wherever it is, to which parameters may be appended. */
  String uri();

  /** Returns the server that can be written to. */
  DatabaseServer primary();

  /** Does the last writes, kills the server, and goes on with one that has not received them. */
  void failOverLosing(Runnable lastWrites);

  /** Kills what runs and deletes the data. */
  @Override
  void close();
}
