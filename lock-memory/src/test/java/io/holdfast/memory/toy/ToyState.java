package io.holdfast.memory.toy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

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

  /**
   * A request in a queue.
   *
   * @param token of its grant; 0 until it is the head
   * @param staysUntilMillis until when it keeps the lock without a session; 0 if it has one
   */
  record Place(int session, long request, long token, long staysUntilMillis) {
    boolean is(int ofSession, long other) {
      return session == ofSession && request == other && !stays();
    }

    boolean stays() {
      return staysUntilMillis != 0;
    }

    Place stayingUntil(long millis) {
      return new Place(session, request, token, millis);
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
        .filter(place -> !place.stays())
        .map(Place::session)
        .distinct()
        .filter(
            session ->
                Optional.ofNullable(sessions.get(session))
                    .filter(s -> s.hasLapsed(nowMillis))
                    .isPresent())
        .toList();
  }

  /** Returns whether the lock has stayed taken for its time. */
  boolean hasStayed(int lock, long nowMillis) {
    return queue(lock).stream()
        .anyMatch(place -> place.stays() && place.staysUntilMillis() <= nowMillis);
  }

  void apply(int index, ToyEntry entry) {
    switch (entry.kind()) {
      case OPEN -> sessions.put(index, new Life(entry.session(), entry.data()));
      case RENEW ->
          sessions.computeIfPresent(
              entry.session(), (id, old) -> new Life(old.ttlMillis(), entry.data()));
      case END -> end(entry.session(), OptionalLong.empty());
      case END_LAPSED -> {
        Life session = sessions.get(entry.session());
        if (session != null && session.hasLapsed(entry.data())) {
          end(entry.session(), OptionalLong.of(entry.data()));
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
      case BURY -> {
        List<Place> queue = queueOf(entry.lock());
        if (!queue.isEmpty() && queue.get(0).session() == entry.session()) {
          queue.set(0, queue.get(0).stayingUntil(entry.data()));
        }
      }
      case CLEAR ->
          queueOf(entry.lock())
              .removeIf(place -> place.stays() && place.staysUntilMillis() <= entry.data());
    }
    queues.values().forEach(queue -> grant(queue, index));
  }

  private void join(ToyEntry entry) {
    if (!isOver(entry.session())) {
      List<Place> queue = queueOf(entry.lock());
      int at = flaw == Flaw.SERVES_LAST_FIRST ? Math.min(1, queue.size()) : queue.size();
      queue.add(at, new Place(entry.session(), entry.data(), 0, 0));
    }
  }

  /**
   * Ends a session.
   *
   * @param lapsedAt now, if its owner has not closed it
   */
  private void end(int session, OptionalLong lapsedAt) {
    sessions.remove(session);
    for (List<Place> queue : queues.values()) {
      if (lapsedAt.isPresent() && flaw != Flaw.DELAYS_NOTHING) {
        queue.replaceAll(place -> delayed(place, session, lapsedAt.getAsLong()));
      }
      if (flaw == Flaw.KEEPS_DEAD_WAITERS) {
        if (!queue.isEmpty() && isOf(session, queue.get(0))) {
          queue.remove(0);
        }
      } else {
        queue.removeIf(place -> isOf(session, place));
      }
    }
  }

  private static boolean isOf(int session, Place place) {
    return place.session() == session && !place.stays();
  }

  private static Place delayed(Place place, int session, long nowMillis) {
    long delayMillis = ToyEntry.delayMillis(place.request());
    boolean holds = isOf(session, place) && place.token() != 0;
    return holds && delayMillis > 0 ? place.stayingUntil(nowMillis + delayMillis) : place;
  }

  private void grant(List<Place> queue, int index) {
    // Not beside one that stays: that would be another flaw.
    boolean admitsTwo = flaw == Flaw.ADMITS_TWO && queue.size() > 1 && !queue.get(0).stays();
    int admitted = Math.min(admitsTwo ? 2 : 1, queue.size());
    for (int i = 0; i < admitted; i++) {
      Place place = queue.get(i);
      if (place.token() == 0) {
        queue.set(i, new Place(place.session(), place.request(), token(2L * index + i), 0));
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
