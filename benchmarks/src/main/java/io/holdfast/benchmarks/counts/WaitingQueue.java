package io.holdfast.benchmarks.counts;

import io.holdfast.LockName;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Standing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Counts operations while many sessions wait for one lock. Two clients' sessions alternate, so that
 * each hand-over goes from one client to the other.
 */
final class WaitingQueue implements AutoCloseable {

  private static final LockName LOCK = new LockName("queue");

  private final List<LockBackend> backends;
  private final boolean isTold;
  private final BlockingQueue<LockName> hints = new LinkedBlockingQueue<>();

  /** The holder, and behind it those who wait, in order. */
  private final Deque<Place> places = new ArrayDeque<>();

  /** Those who have had the lock and will wait again. */
  private final Deque<Party> gone = new ArrayDeque<>();

  private record Place(Party party, Request request) {}

  private WaitingQueue(CountedStore store) {
    backends = List.of(store.connect(), store.connect());
    isTold = backends.get(0).capabilities().wakeup() == Wakeup.PUSH;
  }

  /**
   * Counts a hand-over, a join and a waiter's heartbeat.
   *
   * @param sizes how many wait, ascending
   */
  static void count(CountedStore store, Meter meter, List<Integer> sizes) {
    try (WaitingQueue queue = new WaitingQueue(store)) {
      for (int count : sizes) {
        int waiting = queue.grow(count);
        queue.count(meter, "%,d waiting".formatted(waiting));
        if (waiting < count) {
          return; // The store lets no more wait.
        }
      }
    }
  }

  /** Has more sessions wait, and returns how many do. */
  private int grow(int waiting) {
    while (places.size() < waiting + 1) {
      Party party = new Party(backends.get(places.size() % backends.size()));
      listen(party); // First: some stores watch the place from the moment of joining.
      Optional<Request> request =
          places.isEmpty() ? Optional.of(party.take(LOCK)) : party.join(LOCK);
      if (request.isEmpty()) {
        party.end();
        break;
      }
      places.add(new Place(party, request.get()));
      places.forEach(place -> place.party().keepAlive());
    }
    return places.size() - 1;
  }

  /** Never stops: the connections are closed. */
  private void listen(Party party) {
    AutoCloseable unused =
        party.backend().listen(party.session(), hints::add, Deadline.in(Party.CALL));
  }

  private void count(Meter meter, String state) {
    meter.countInTurns(
        state,
        (places.size() - 1) / 2,
        new Meter.Step("hand-over: release, hint, look", this::handOver),
        new Meter.Step("join", this::join));
    Place last = places.getLast();
    meter.count(
        "heartbeat of a waiter: renew, look",
        state,
        () -> {
          last.party().renew();
          Standing unused = last.party().look(last.request());
        });
    places.forEach(place -> place.party().keepAlive());
  }

  private void handOver() {
    Place holder = places.remove();
    hints.clear();
    holder.party().release(holder.request());
    gone.add(holder.party());
    if (isTold) {
      awaitHint();
    }
    Place next = places.element();
    next.party().lookHolding(next.request());
  }

  private void join() {
    Party party = gone.remove();
    places.add(new Place(party, party.join(LOCK).orElseThrow()));
  }

  private void awaitHint() {
    try {
      if (hints.poll(Party.CALL.toSeconds(), TimeUnit.SECONDS) == null) {
        throw new IllegalStateException("The next waiter got no hint.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    places.forEach(place -> place.party().end());
    backends.forEach(LockBackend::close);
  }
}
