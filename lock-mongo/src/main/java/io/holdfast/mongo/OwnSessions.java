package io.holdfast.mongo;

import io.holdfast.RequestId;
import io.holdfast.SessionId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this client knows of its own sessions, so that it need not look before every step: a session
 * that it opened or renewed lives until it hears otherwise, and a grant that it has seen was
 * judged. Both only spare a look. A session may be over without our knowing, but not before the
 * lease that its grants depend on. Thread-safe.
 */
final class OwnSessions {

  private final Map<SessionId, Set<RequestId>> grants = new ConcurrentHashMap<>();

  void lives(SessionId session) {
    grants.computeIfAbsent(session, id -> ConcurrentHashMap.newKeySet());
  }

  void isOver(SessionId session) {
    grants.remove(session);
  }

  boolean isKnownToLive(SessionId session) {
    return grants.containsKey(session);
  }

  void holds(RequestId request) {
    grants.computeIfPresent(
        request.session(),
        (id, requests) -> {
          requests.add(request);
          return requests;
        });
  }

  void left(RequestId request) {
    Set<RequestId> requests = grants.get(request.session());
    if (requests != null) {
      requests.remove(request);
    }
  }

  boolean isKnownToHold(RequestId request) {
    Set<RequestId> requests = grants.get(request.session());
    return requests != null && requests.contains(request);
  }
}
