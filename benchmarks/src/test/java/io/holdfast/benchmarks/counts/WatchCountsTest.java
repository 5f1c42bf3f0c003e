package io.holdfast.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.benchmarks.counts.ModelCounts.Step;
import io.holdfast.benchmarks.simulation.StoreCosts;
import io.holdfast.benchmarks.simulation.WatchCosts;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the model of capacity with what stores are asked for whose clients watch. Watches go by
 * time: on a machine that stands still now and then they ask more rarely, so that what is too
 * little is counted again.
 */
@Execution(ExecutionMode.CONCURRENT)
class WatchCountsTest {

  private static final int TRIES = 30;
  private static final int CLIENTS = 2;
  private static final LockName LOCK = new LockName("watched");
  private static final Duration IDLE = Duration.ofSeconds(3);

  /** Between two pieces of news: a watch has slowed down, to nearly its longest pause. */
  private static final Duration GAP = Duration.ofMillis(500);

  private static final int NEWS = 5;

  /** So much of one question: one is under way at the beginning and at the end. */
  private static final double QUESTION = 0.6;

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "h2"})
  void theModelCalculatesWithTheStatementsOfADatabaseInTheProcess(String kind) {
    StoreCosts costs = StoreCosts.of(kind);
    try (CountedStore store = CountedStores.start(kind).orElseThrow()) {
      Meter meter = new Meter(store);
      HeldLocks.count(store, meter, List.of(1));

      assertThat(statements(meter, "grab")).isEqualTo(costs.again());
      assertThat(statements(meter, "release")).isEqualTo(costs.release());
      assertThat(statements(meter, "heartbeat")).isEqualTo(costs.renew());
      assertThat(ModelCounts.pairByTurns(store)).isEqualTo(costs.pair());
      requireQueue(store, costs);
    }
  }

  @Tag("server")
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "postgresql", "redis", "mongodb"})
  void itDoesWithTheQueueOfAServer(String kind) {
    try (CountedStore store = CountedStores.start(kind).orElseThrow()) {
      requireQueue(store, StoreCosts.of(kind));
    }
  }

  private static void requireQueue(CountedStore store, StoreCosts costs) {
    assertThat(ModelCounts.queue(store))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                Step.JOIN, (double) costs.join(),
                Step.LOOK_WAITING, (double) costs.lookWaiting(),
                Step.RELEASE, (double) costs.release() + costs.telling(),
                Step.LOOK_HOLDING, (double) costs.lookHolding()));
  }

  private static double statements(Meter meter, String operation) {
    return meter.costs().stream()
        .filter(cost -> cost.operation().equals(operation))
        .mapToDouble(cost -> ModelCounts.asked(cost.each()))
        .sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "h2"})
  void itCalculatesWithTheWatchesOfAFile(String kind) {
    WatchCosts watch = StoreCosts.of(kind).watch();
    try (CountedStore store = CountedStores.start(kind).orElseThrow();
        Watched watched = new Watched(store);
        LockBackend third = store.connect()) {
      Party other = new Party(third);

      requireIdle(watched, watch, false);
      requireClose(
          watch.between(millis(), false), () -> watched.each(other::renew) - 1.0 / CLIENTS);
      watched.queue();
      requireIdle(watched, watch, true);
      requireClose(watch.between(millis(), true), () -> watched.each(other::renew) - 1.0 / CLIENTS);
    }
  }

  /** A hand-over wakes both clients here: that of the new holder, and that of the next in line. */
  @Tag("server")
  @ParameterizedTest
  @ValueSource(strings = "mariadb")
  void itCalculatesWithTheWatchesOfAServer(String kind) {
    StoreCosts costs = StoreCosts.of(kind);
    WatchCosts watch = costs.watch();
    try (CountedStore store = CountedStores.start(kind).orElseThrow();
        Watched watched = new Watched(store)) {
      requireIdle(watched, watch, false);
      watched.queue();
      requireIdle(watched, watch, true);
      double verbs = (double) costs.handOver() / CLIENTS;
      double expected = watch.between(millis(), true);
      requireClose(
          expected,
          () -> {
            long begun = System.nanoTime();
            double each = watched.each(watched::handOver) - verbs;
            double lateSeconds = (System.nanoTime() - begun) / 1e9 - NEWS * millis() / 1e3;
            // Being late makes a watch ask more rarely, but for what it asks in that time.
            assertThat(each)
                .isLessThan(expected + QUESTION + lateSeconds * watch.idle(true) / NEWS);
            return each;
          });
    }
  }

  /** Who is told by the store itself does nothing for that while it waits. */
  @Tag("server")
  @ParameterizedTest
  @ValueSource(strings = {"redis", "postgresql", "etcd", "zookeeper"})
  void othersNeedNoWatch(String kind) {
    WatchCosts watch = StoreCosts.of(kind).watch();
    try (CountedStore store = CountedStores.start(kind).orElseThrow();
        Watched watched = new Watched(store)) {
      watched.queue();
      requireIdle(watched, watch, true);
    }
  }

  private static double millis() {
    return GAP.toMillis();
  }

  private static void requireIdle(Watched watched, WatchCosts watch, boolean waits) {
    requireClose(
        IDLE.toSeconds() * watch.idle(waits), () -> watched.meanwhile(() -> Pauses.pass(IDLE)));
  }

  private static void requireClose(double expected, DoubleSupplier counted) {
    List<Double> all = new ArrayList<>();
    while (all.size() < TRIES) {
      double next = counted.getAsDouble();
      all.add(next);
      if (Math.abs(next - expected) <= QUESTION) {
        return;
      }
    }
    assertThat(all).as("counts of the statements of a watch").contains(expected);
  }

  /** Two clients whose sessions listen, and wait in turns once they are told to. */
  private static final class Watched implements AutoCloseable {

    private final CountedStore store;
    private final List<LockBackend> backends = new ArrayList<>();
    private final List<Party> parties = new ArrayList<>();
    private final Deque<Party> places = new ArrayDeque<>();
    private final Deque<Request> requests = new ArrayDeque<>();

    Watched(CountedStore store) {
      this.store = store;
      for (int i = 0; i < CLIENTS; i++) {
        backends.add(store.connect());
      }
      for (int i = 0; i < 2 * CLIENTS; i++) {
        Party party = new Party(backends.get(i % CLIENTS));
        AutoCloseable unused =
            party.backend().listen(party.session(), name -> {}, Deadline.in(Party.CALL));
        parties.add(party);
      }
    }

    /**
     * Has all stand in line, and executes each statement so often that drivers have prepared it.
     */
    void queue() {
      for (Party party : parties) {
        requests.add(places.isEmpty() ? party.take(LOCK) : party.join(LOCK).orElseThrow());
        places.add(party);
      }
      for (int i = 0; i < 30; i++) {
        handOver();
      }
      Pauses.pass(Duration.ofSeconds(2));
    }

    void handOver() {
      Party gone = places.remove();
      gone.release(requests.remove());
      places.element().lookHolding(requests.element());
      requests.add(gone.join(LOCK).orElseThrow());
      places.add(gone);
    }

    /** Returns what was asked for each of the clients. */
    double meanwhile(Runnable body) {
      parties.forEach(Party::keepAlive);
      Reading before = store.read();
      body.run();
      return ModelCounts.asked(store.read().since(before)) / CLIENTS;
    }

    /** Returns what was asked for each client and piece of news, one after the other. */
    double each(Runnable news) {
      return meanwhile(
              () -> {
                for (int i = 0; i < NEWS; i++) {
                  news.run();
                  Pauses.pass(GAP);
                }
              })
          / NEWS;
    }

    @Override
    public void close() {
      backends.forEach(LockBackend::close);
    }
  }
}
