package io.holdfast;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process's connection to a store of locks. Thread-safe; an application needs one for each store.
 * Two clients in one process are two competitors like any others.
 */
public interface LockClient extends AutoCloseable {

  /**
   * Returns the lock of this name. Asks nobody.
   *
   * @throws BadRequestException if the name is empty, longer than 512 bytes with the client's name
   *     prefix, ill-formed, or has control characters
   */
  DistributedLock lock(String name);

  /** Returns what the store knows of a lock; empty if it knows nothing. */
  Optional<LockRecord> find(String name);

  /**
   * Returns the locks that are held and whose names begin with a text, by name in the order of
   * UTF-8 bytes. Read page by page as the stream is consumed.
   */
  Stream<LockRecord> list(String prefix);

  /**
   * Revokes the grant that was seen in a record, so that the lock passes on without its holder's
   * consent but, with {@link RevokeWhen#SAFELY}, never under a holder that still believes.
   *
   * @throws BadRequestException if nobody held the lock in the record
   */
  Revocation revoke(LockRecord seen, RevokeWhen when);

  /** Asks the store for a sign of life and returns it with the state of this client's sessions. */
  Health health();

  /** Returns how the store is called in messages, without passwords. */
  String backend();

  /**
   * Gives everything back: waiting calls end with {@link ClientClosedException}, held locks are
   * released, sessions ended, threads stopped. Returns within a bounded time also if the store does
   * not answer; what could not be given back then ends with its lease.
   */
  @Override
  void close();
}
