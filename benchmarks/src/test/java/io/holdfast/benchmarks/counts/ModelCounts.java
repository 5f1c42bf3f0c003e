package io.holdfast.benchmarks.counts;

import io.holdfast.LockName;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Standing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts verbs of several clients, while none of them listens: each does nothing by itself. */
final class ModelCounts {

  private static final LockName LOCK = new LockName("model");

  /** Drivers have prepared all statements then. */
  private static final int WARM_UP = 60;

  private static final int TIMES = 10;

  /** The verbs of a queue that moves. */
  enum Step {
    JOIN,
    LOOK_WAITING,
    RELEASE,
    LOOK_HOLDING
  }

  private ModelCounts() {}

  /** Returns the requests, or the statements of a database in this process. */
  static double asked(Reading reading) {
    Map<Figure, Double> figures = reading.figures();
    return figures.containsKey(Figure.REQUESTS)
        ? figures.get(Figure.REQUESTS)
        : figures.getOrDefault(Figure.COMMANDS, 0.0);
  }

  /** Returns the requests of a pair of a lock that another client has given back each time. */
  static double pairByTurns(CountedStore store) {
    try (LockBackend one = store.connect();
        LockBackend other = store.connect()) {
      Party[] parties = {new Party(one), new Party(other)};
      for (int i = 0; i < WARM_UP; i++) {
        takeTurns(parties);
      }
      List<Double> asked = new ArrayList<>();
      for (int i = 0; i < TIMES; i++) {
        asked.add(asked(store, () -> takeTurns(parties)) / parties.length);
      }
      for (Party party : parties) {
        party.end();
      }
      return median(asked);
    }
  }

  private static void takeTurns(Party... parties) {
    for (Party party : parties) {
      party.release(party.take(LOCK));
    }
  }

  /** Returns the requests of each verb while two clients' sessions stand in line. */
  static Map<Step, Double> queue(CountedStore store) {
    try (LockBackend one = store.connect();
        LockBackend other = store.connect()) {
      Deque<Place> places = new ArrayDeque<>();
      Party first = new Party(one);
      places.add(new Place(first, first.take(LOCK)));
      for (LockBackend each : new LockBackend[] {other, one, other}) {
        Party party = new Party(each);
        places.add(new Place(party, party.join(LOCK).orElseThrow()));
      }
      for (int i = 0; i < WARM_UP; i++) {
        move(store, places);
      }
      Map<Step, List<Double>> each = new EnumMap<>(Step.class);
      for (int i = 0; i < TIMES; i++) {
        move(store, places)
            .forEach(
                (step, asked) -> each.computeIfAbsent(step, s -> new ArrayList<>()).add(asked));
      }
      places.forEach(place -> place.party().end());
      Map<Step, Double> medians = new EnumMap<>(Step.class);
      each.forEach((step, asked) -> medians.put(step, median(asked)));
      return medians;
    }
  }

  /** A ping of a driver, now and then, is left out. */
  private static double median(List<Double> asked) {
    return asked.stream().sorted().toList().get(asked.size() / 2);
  }

  private record Place(Party party, Request request) {}

  private static Map<Step, Double> move(CountedStore store, Deque<Place> places) {
    Map<Step, Double> asked = new EnumMap<>(Step.class);
    Place gone = places.remove();
    Place next = places.element();
    asked.put(Step.RELEASE, asked(store, () -> gone.party().release(gone.request())));
    asked.put(Step.LOOK_HOLDING, asked(store, () -> next.party().lookHolding(next.request())));
    asked.put(
        Step.JOIN,
        asked(
            store,
            () -> places.add(new Place(gone.party(), gone.party().join(LOCK).orElseThrow()))));
    Place last = places.getLast();
    asked.put(
        Step.LOOK_WAITING,
        asked(
            store,
            () -> {
              Standing unused = last.party().look(last.request());
            }));
    return asked;
  }

  private static double asked(CountedStore store, Runnable body) {
    Reading before = store.read();
    body.run();
    return asked(store.read().since(before));
  }
}
