package io.holdfast.election;

import io.holdfast.AcquireOptions;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.time.Duration;
import java.util.Optional;

/**
 * An election of a name. Candidates wait in the queue of the lock of that name, with their payload;
 * the leader is its holder. Thread-safe; holds no state of its own.
 *
 * <pre>{@code
 * try (Candidacy candidacy = client.election("billing").stand(candidate)) {
 *   ...
 * }
 * }</pre>
 */
public interface Election {

  /** Returns the name, which is that of the lock. */
  LockName name();

  /**
   * Stands for election until the candidacy or its client is closed: after each term it stands
   * again, behind those who wait. Returns at once; the candidate is told on a thread of the
   * candidacy what becomes of it.
   */
  default Candidacy stand(Candidate candidate) {
    return stand(AcquireOptions.forever(), candidate);
  }

  /**
   * Stands for election with options: the payload that others see, the reason, the TTL, how long a
   * term may be ({@link AcquireOptions#atMost}).
   *
   * @throws BadRequestException if the options limit the wait, make it uninterruptible, or ask for
   *     shared mode or a cached lock
   */
  Candidacy stand(AcquireOptions options, Candidate candidate);

  /**
   * Asks the store who leads; empty if there is no leader. Needs no candidacy. The answer may be
   * out of date when it arrives.
   *
   * @throws BackendUnreachableException if the store did not answer
   * @throws BackendUnusableException if the store cannot be used in its present state
   * @throws ClientClosedException if the client is closed
   */
  Optional<Leader> leader();

  /** Observes who leads, and looks every second. */
  default Watch observe(Observer observer) {
    return observe(LockClient.WATCH_INTERVAL, observer);
  }

  /**
   * Tells an observer who leads now, and again whenever that changes: within this interval, or at
   * once where the store tells that something has changed, see {@link LockClient#watch(String,
   * Duration, WatchListener)}. An observer never stands.
   *
   * @return the watch, to be closed
   * @throws BadRequestException if the interval is out of the bounds of a watch
   * @throws ClientClosedException if the client is closed
   */
  Watch observe(Duration interval, Observer observer);
}
