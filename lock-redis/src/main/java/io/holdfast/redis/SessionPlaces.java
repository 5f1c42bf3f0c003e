package io.holdfast.redis;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * In which partitions sessions are. Those that this client does not renew are looked for in all.
 */
final class SessionPlaces {

  private final Namespace namespace;
  private final Map<SessionId, Integer> known = new ConcurrentHashMap<>();

  /** The question to a partition about a session. */
  @FunctionalInterface
  interface Question<T> {
    /** Returns the answer; empty if the session is not there. */
    Optional<T> ask(int partition, Deadline deadline);
  }

  SessionPlaces(Namespace namespace) {
    this.namespace = namespace;
  }

  void remember(SessionId session, int partition) {
    known.putIfAbsent(session, partition);
  }

  void forget(SessionId session) {
    known.remove(session);
  }

  /**
   * Asks the partition of a session.
   *
   * @return empty if the session is in none
   */
  <T> Optional<T> ask(SessionId session, Deadline deadline, Question<T> question) {
    @Nullable Integer partition = known.get(session);
    return partition == null ? search(deadline, question) : question.ask(partition, deadline);
  }

  /**
   * Asks all, also while some of them fail, and none of them uses up the time of the others. A
   * session found nowhere may be where one has failed.
   */
  private <T> Optional<T> search(Deadline deadline, Question<T> question) {
    namespace.requireAgreed(deadline);
    Optional<RuntimeException> failed = Optional.empty();
    for (int left = namespace.partitions(); left > 0; left--) {
      Deadline share = Deadline.in(deadline.remaining().dividedBy(left));
      try {
        Optional<T> answer = question.ask(namespace.partitions() - left, share);
        if (answer.isPresent()) {
          return answer;
        }
      } catch (BackendFailure | BackendUnusableException e) {
        failed = failed.or(() -> Optional.of(e));
      }
    }
    if (failed.isPresent()) {
      throw failed.get();
    }
    return Optional.empty();
  }
}
