package io.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A client's state, for probes.
 *
 * @param backend the store's name in messages
 * @param problem why the store did not answer; empty if it answered
 * @param roundTrip the time until the answer or the failure
 * @param sessions the client's open sessions
 */
public record Health(
    String backend, Optional<String> problem, Duration roundTrip, List<SessionHealth> sessions) {

  /** Copies the list. */
  public Health {
    sessions = List.copyOf(sessions);
  }

  /** Returns whether the store answered and every session's lease is in force. */
  public boolean isUp() {
    return problem.isEmpty()
        && sessions.stream().noneMatch(session -> session.state() == SessionState.JEOPARDY);
  }

  /**
   * One session.
   *
   * @param id its id
   * @param ttl its TTL as granted
   * @param state its state
   * @param grants how many grants it covers
   */
  public record SessionHealth(SessionId id, Duration ttl, SessionState state, int grants) {}
}
