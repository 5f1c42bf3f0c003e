package io.holdfast.tck.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a toy store's log amounts to: sessions, and a queue for each lock. */
final class ToyState {

  private final Flaw flaw;
  private final Map<Integer, Life> sessions = new HashMap<>();
  private final Map<Integer, List<Place>> queues = new HashMap<>();

  ToyState(Flaw flaw) {
    this.flaw = flaw;
  }

  /** A session; over once it is not in the map any more. */
  record Life(int ttlMillis, long renewedAtMillis) {
    boolean hasLapsed(long nowMillis) {
      return nowMillis - renewedAtMillis > ttlMillis;
    }
  }

  /** A request in a queue and the token of its grant, 0 until it is the head. */
  record Place(int session, long serial, long token) {
    boolean is(int ofSession, long ofSerial) {
      return session == ofSession && serial == ofSerial;
    }
  }

  boolean isOver(int session) {
    return !sessions.containsKey(session);
  }

  List<Place> queue(int lock) {
    return queues.getOrDefault(lock, List.of());
  }

  List<Integer> lapsedInQueues(long nowMillis) {
    return queues.values().stream()
        .flatMap(List::stream)
        .map(Place::session)
        .distinct()
        .filter(
            session ->
                Optional.ofNullable(sessions.get(session))
                    .filter(s -> s.hasLapsed(nowMillis))
                    .isPresent())
        .toList();
  }

  void apply(int index, ToyEntry entry) {
    switch (entry.kind()) {
      case OPEN -> sessions.put(index, new Life(entry.session(), entry.data()));
      case RENEW ->
          sessions.computeIfPresent(
              entry.session(), (id, old) -> new Life(old.ttlMillis(), entry.data()));
      case END -> end(entry.session());
      case END_LAPSED -> {
        Life session = sessions.get(entry.session());
        if (session != null && session.hasLapsed(entry.data())) {
          end(entry.session());
        }
      }
      case TRY -> {
        if (queue(entry.lock()).isEmpty()) {
          join(entry);
        }
      }
      case JOIN -> join(entry);
      case LEAVE ->
          queueOf(entry.lock()).removeIf(place -> place.is(entry.session(), entry.data()));
    }
    queues.values().forEach(queue -> grant(queue, index));
  }

  private void join(ToyEntry entry) {
    if (!isOver(entry.session())) {
      List<Place> queue = queueOf(entry.lock());
      int at = flaw == Flaw.SERVES_LAST_FIRST ? Math.min(1, queue.size()) : queue.size();
      queue.add(at, new Place(entry.session(), entry.data(), 0));
    }
  }

  private void end(int session) {
    sessions.remove(session);
    for (List<Place> queue : queues.values()) {
      if (flaw == Flaw.KEEPS_DEAD_WAITERS) {
        if (!queue.isEmpty() && queue.get(0).session() == session) {
          queue.remove(0);
        }
      } else {
        queue.removeIf(place -> place.session() == session);
      }
    }
  }

  private void grant(List<Place> queue, int index) {
    int admitted = Math.min(flaw == Flaw.ADMITS_TWO ? 2 : 1, queue.size());
    for (int i = 0; i < admitted; i++) {
      Place place = queue.get(i);
      if (place.token() == 0) {
        queue.set(i, new Place(place.session(), place.serial(), token(2L * index + i)));
      }
    }
  }

  private long token(long rising) {
    return switch (flaw) {
      case TOKENS_FALL -> (1L << 40) - rising;
      case TOKENS_REPEAT -> 1;
      default -> rising + 1;
    };
  }

  private List<Place> queueOf(int lock) {
    return queues.computeIfAbsent(lock, name -> new ArrayList<>());
  }
}
