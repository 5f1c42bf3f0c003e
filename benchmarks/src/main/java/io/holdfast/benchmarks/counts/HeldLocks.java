package io.holdfast.benchmarks.counts;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Counts operations while a session holds many locks. */
final class HeldLocks {

  private static final int TIMES = 10;

  private HeldLocks() {}

  /**
   * Counts a pair of a whole client, and the verbs of the session that holds the locks.
   *
   * @param held how many it holds, ascending
   */
  static void count(CountedStore store, Meter meter, List<Integer> held) {
    try (LockBackend backend = store.connect();
        LockClient client = Holdfast.builder().defaultTtl(Party.TTL).connect(store.connect())) {
      Party holder = new Party(backend);
      int taken = 0;
      for (int count : held) {
        for (; taken < count; taken++) {
          Request unused = holder.take(new LockName("held/" + taken));
          holder.keepAlive();
        }
        count(meter, holder, client.lock("pair"), "%,d held".formatted(count));
      }
      holder.end();
    }
  }

  private static void count(Meter meter, Party holder, DistributedLock lock, String state) {
    meter.count("pair of a client", state, () -> lock.acquire().release());
    Deque<LockName> free = new ArrayDeque<>();
    for (int i = 0; i < TIMES; i++) {
      free.add(new LockName("verb/" + i));
    }
    Deque<Request> taken = new ArrayDeque<>();
    meter.countInTurns(
        state,
        TIMES,
        new Meter.Step("grab", () -> taken.add(holder.take(free.remove()))),
        new Meter.Step(
            "release",
            () -> {
              Request request = taken.remove();
              holder.release(request);
              free.add(request.name());
            }));
    meter.count("heartbeat", state, holder::renew);
  }
}
