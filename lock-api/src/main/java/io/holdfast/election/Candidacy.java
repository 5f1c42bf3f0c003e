package io.holdfast.election;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import java.time.Duration;
import java.util.Optional;

/**
 * A candidate's standing for election, from {@link Election#stand} to {@link #close}. It has one
 * thread, a daemon. Thread-safe.
 */
public interface Candidacy extends AutoCloseable {

  /** How long {@link #close} waits for the candidate and for the store. */
  Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Returns the grant on which the candidate leads; empty if it does not lead, or if its lease is
   * not in force at the moment. To ask this is no use of the grant: it belongs to the same thread
   * as before.
   */
  Optional<Grant> term();

  /**
   * Gives the present term up: the candidate is told by {@link Candidate#deposed}, then the lock
   * passes to the next in line in one step, and the candidate stands again behind all who wait.
   * Does nothing if the candidate does not lead. Returns without waiting for any of this.
   *
   * <p>If it stands with {@link AcquireOptions#atLeast} and that time is not over, the lock stays
   * taken until it is: there is no leader meanwhile.
   */
  void resign();

  /**
   * Stands no more. If the candidate leads, it is told by {@link Candidate#deposed}, and then the
   * lock passes on. Returns when that is done and the thread has ended, but after {@link
   * #CLOSE_TIMEOUT} at the latest, at once if the calling thread is interrupted, and without
   * waiting if the candidate itself calls it.
   */
  @Override
  void close();
}
