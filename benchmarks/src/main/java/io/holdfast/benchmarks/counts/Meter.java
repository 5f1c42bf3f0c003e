package io.holdfast.benchmarks.counts;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Counts what operations cost a store. */
final class Meter {

  /** Of so many windows the median counts: a heartbeat falls into one of them at most. */
  private static final int WINDOWS = 5;

  /**
   * Before anything counts: a driver prepares a statement on each connection by itself, once that
   * has executed it some five times, and two clients with some connections each take turns.
   */
  private static final int WARM_UP = 40;

  /** The least in a window: fewer would be one operation's chance. */
  private static final int OPERATIONS = 10;

  private final CountedStore store;
  private final List<Cost> costs = new ArrayList<>();

  Meter(CountedStore store) {
    this.store = store;
  }

  /** Returns what was counted, in the order in which it was. */
  List<Cost> costs() {
    return List.copyOf(costs);
  }

  /**
   * Counts an operation.
   *
   * @param operation its name for people
   * @param state of the store meanwhile, for people
   * @param body does it once
   */
  void count(String operation, String state, Runnable body) {
    for (int i = 0; i < WARM_UP; i++) {
      body.run();
    }
    Windows windows = new Windows();
    Reading before = store.read();
    for (int i = 0; i < WINDOWS; i++) {
      before = windows.go(before, OPERATIONS, body);
      windows.end();
    }
    costs.add(new Cost(operation, state, windows.median()));
  }

  /**
   * Counts two operations that undo each other, in turns. What a client does by itself meanwhile is
   * counted with one of them, so that the sum of both misses nothing.
   *
   * @param state of the store meanwhile, for people
   * @param times how often each can be done before the other's turn
   * @param first what begins
   * @param second what makes it possible again
   */
  void countInTurns(String state, int times, Step first, Step second) {
    for (int i = 0; i < WARM_UP; i++) {
      first.body().run();
      second.body().run();
    }
    Windows ofFirst = new Windows();
    Windows ofSecond = new Windows();
    int most = Math.min(times, OPERATIONS);
    Reading before = store.read();
    for (int i = 0; i < WINDOWS; i++) {
      for (int done = 0; done < OPERATIONS; done += most) {
        before = ofFirst.go(before, most, first.body());
        before = ofSecond.go(before, most, second.body());
      }
      ofFirst.end();
      ofSecond.end();
    }
    costs.add(new Cost(first.operation(), state, ofFirst.median()));
    costs.add(new Cost(second.operation(), state, ofSecond.median()));
  }

  /**
   * An operation that another one undoes.
   *
   * @param operation its name for people
   * @param body does it once
   */
  record Step(String operation, Runnable body) {}

  /**
   * Counts operations that are done at the same time.
   *
   * @param operation the name of one, for people
   * @param state of the store meanwhile, for people
   * @param windows of how many the median counts
   * @param operations how many there are in each window
   * @param body does all of them
   */
  void countTogether(String operation, String state, int windows, int operations, Runnable body) {
    List<Reading> readings = new ArrayList<>();
    for (int i = 0; i < windows; i++) {
      Reading before = store.read();
      body.run();
      readings.add(store.read().since(before).each(operations));
    }
    costs.add(new Cost(operation, state, Reading.median(readings)));
  }

  /** The windows of one operation. */
  private final class Windows {

    private final List<Reading> readings = new ArrayList<>();

    /** Those of each single operation: they are whole numbers, and so is their median. */
    private final List<Long> roundTrips = new ArrayList<>();

    private Optional<Reading> sum = Optional.empty();
    private int done;

    /** Does it so often, and returns what the counters show then. */
    Reading go(Reading before, int times, Runnable body) {
      for (int i = 0; i < times; i++) {
        OptionalLong start = store.roundTrips();
        body.run();
        OptionalLong end = store.roundTrips();
        if (start.isPresent() && end.isPresent()) {
          roundTrips.add(end.getAsLong() - start.getAsLong());
        }
      }
      Reading after = store.read();
      Reading meanwhile = after.since(before);
      sum = Optional.of(sum.map(earlier -> earlier.plus(meanwhile)).orElse(meanwhile));
      done += times;
      return after;
    }

    /** The next one belongs to another window. */
    void end() {
      readings.add(sum.orElseThrow().each(done));
      sum = Optional.empty();
      done = 0;
    }

    Reading median() {
      Reading median = Reading.median(readings);
      if (roundTrips.isEmpty()) {
        return median;
      }
      List<Long> sorted = roundTrips.stream().sorted().toList();
      return median.with(Figure.ROUND_TRIPS, sorted.get((sorted.size() - 1) / 2));
    }
  }
}
