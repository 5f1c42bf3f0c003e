package io.holdfast.mongo.session;

import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * This client's memory of its own sessions, which saves reading them before every step. A session
 * that it opened or renewed counts as alive until it learns otherwise, and a grant that it has
 * checked needs no second check. A session may be over without this client knowing, but not before
 * the end of the lease on which its grants depend. Thread-safe.
 */
public final class OwnSessions {

  private final Map<SessionId, Set<RequestId>> grants = new ConcurrentHashMap<>();

  void markAlive(SessionId session) {
    grants.computeIfAbsent(session, id -> ConcurrentHashMap.newKeySet());
  }

  void markOver(SessionId session) {
    grants.remove(session);
  }

  public boolean isKnownAlive(SessionId session) {
    return grants.containsKey(session);
  }

  public void markHolding(RequestId request) {
    grants.computeIfPresent(
        request.session(),
        (id, requests) -> {
          requests.add(request);
          return requests;
        });
  }

  public void markReleased(RequestId request) {
    Set<RequestId> requests = grants.get(request.session());
    if (requests != null) {
      requests.remove(request);
    }
  }

  public boolean isKnownToHold(RequestId request) {
    Set<RequestId> requests = grants.get(request.session());
    return requests != null && requests.contains(request);
  }
}
