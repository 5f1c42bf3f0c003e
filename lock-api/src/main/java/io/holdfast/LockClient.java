package io.holdfast;

import java.util.List;
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

  /**
   * Closes this client like {@link #close()}, but lets it keep what it holds: sessions with grants
   * are not ended, only not renewed any more. Until their TTL is over, {@link #resume} of another
   * client can go on with them, after a restart of this process for instance; then they pass on.
   * The grants of this client are in force no longer.
   *
   * @return the sessions that hold something
   * @throws BadRequestException if sessions in this store cannot be resumed; then nothing is closed
   */
  List<SessionId> orphan();

  /**
   * Goes on with a session that was {@linkplain #orphan() orphaned}, or whose process has died: it
   * is renewed, and what it holds is held by this client, with the tokens of before. What it waited
   * for is given up. It serves these grants only and ends with the last of them.
   *
   * <p>Whoever used the session before must be gone for good. If it was only stopped, both believe
   * that they hold, with the same tokens, and nothing tells one from the other. Nor does anything
   * tell two processes that resume one session from one that does so twice: both succeed. See to it
   * that one process alone resumes it.
   *
   * @return what it holds; nothing if the session is over
   * @throws BadRequestException if sessions in this store cannot be resumed; if this client uses
   *     the session or one of its locks already; or if a lock's name does not begin with this
   *     client's name prefix. Then nothing is held
   */
  List<Grant> resume(SessionId session);

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
