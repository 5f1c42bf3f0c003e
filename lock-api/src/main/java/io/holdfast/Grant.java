package io.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * A lock held: what {@link DistributedLock#acquire()} returns and {@link #close()} gives back.
 *
 * <p>A grant is in force while its session's lease is, which heartbeats extend in the background.
 * The lease ends by this process's clock before the store lets anybody else in. Work that lasts
 * should call {@link #check()} between its steps, and send {@link #token()} along with every write
 * so that the resource can reject a writer that was overtaken.
 *
 * <p>Thread-safe; a grant may be passed to another thread and given back there. It belongs to the
 * thread that acquired it, until another thread asks it anything about the hold ({@link #isHeld},
 * {@link #check}, {@link #remaining}, {@link #token}), or it was {@linkplain #handOver handed
 * over}. This matters for one thing only: the thread to which a grant belongs and which asks for
 * the same lock again gets an {@link AlreadyHeldException}; any other waits.
 */
public interface Grant extends AutoCloseable {

  /** Returns the name of the lock. */
  LockName name();

  /** Returns how the lock is held. */
  LockMode mode();

  /** Returns the fencing token. It never changes, also after the grant is lost or given back. */
  FencingToken token();

  /** Returns the token as text to be sent along with a request. */
  default Sequencer sequencer() {
    return new Sequencer(name(), mode(), token());
  }

  /** Returns when the lock was granted, by the store's clock: for people, not for decisions. */
  Instant since();

  /**
   * Returns whether the lease is in force by this process's clocks. Costs nanoseconds and asks
   * nobody. The answer is about the moment of the call: only a resource that checks tokens is safe
   * from what happens between it and the next write.
   */
  boolean isHeld();

  /**
   * Returns normally if the grant is in force. While the lease has run out but may still be saved
   * (jeopardy), waits for a renewal for up to the grace time. Costs nanoseconds otherwise.
   *
   * @throws LockLostException if the grant is lost or was given back
   * @throws LockInterruptedException if interrupted while waiting in jeopardy
   */
  void check();

  /** Returns how long the lease lasts unless it is renewed; zero if it is not in force. */
  Duration remaining();

  /**
   * Calls the listener once, on a thread of the client, when the grant is lost other than by giving
   * it back (its client being closed, or orphaned, counts as a loss); at once if it is lost
   * already. A listener should be quick.
   */
  void onLost(Consumer<LossReason> listener);

  /**
   * Says that this grant is about to be passed to another thread. From now on it belongs to none,
   * until one uses it; so the present thread may ask for the lock again at once, and waits.
   */
  void handOver();

  /**
   * Gives the lock back and tells what happened. Does not throw for a store that cannot be reached:
   * the release is then repeated in the background. Takes one call to the store at most.
   */
  ReleaseOutcome release();

  /** Gives the lock back like {@link #release()}; does nothing if that was done or it was lost. */
  @Override
  default void close() {
    release();
  }
}
