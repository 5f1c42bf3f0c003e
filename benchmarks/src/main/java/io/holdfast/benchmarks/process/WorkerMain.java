package io.holdfast.benchmarks.process;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The main class of a worker JVM: one client of one store. Orders come from standard input, {@code
 * ID VERB ARGUMENT...}; the answer to each is its id and a time of {@link System#nanoTime}. Ends at
 * once when its input ends, because then its parent is gone.
 */
final class WorkerMain {

  /** The answer to an order that failed, after its id. */
  static final String FAILED = "failed";

  /** The id of the line that is printed once, when orders are taken. */
  static final String READY = "ready";

  private static final int ORPHANED = 3;
  private static final int CONNECTING_ATTEMPTS = 4;

  private final LockClient client;
  private final Map<String, Grant> grants = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private WorkerMain(LockClient client) {
    this.client = client;
  }

  /** The argument is the store's URI. */
  public static void main(String[] arguments) throws IOException {
    WorkerMain worker = new WorkerMain(connect(arguments[0]));
    say(READY, Long.toString(System.nanoTime()));
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      worker.obey(List.of(line.split(" ", -1)));
    }
    Runtime.getRuntime().halt(ORPHANED);
  }

  /**
   * On a busy machine the loading alone can take the time of a connection, but not of several: each
   * finds more of it done.
   */
  private static LockClient connect(String uri) {
    for (int attempt = 1; ; attempt++) {
      try {
        return Holdfast.connect(uri);
      } catch (BackendUnreachableException e) {
        if (attempt == CONNECTING_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** On a thread for each order but the ping: an order may wait for a lock. */
  private void obey(List<String> order) {
    String id = order.get(0);
    if (order.get(1).equals("ping")) {
      say(id, Long.toString(System.nanoTime()));
    } else {
      threads.execute(() -> say(id, answer(order)));
    }
  }

  private String answer(List<String> order) {
    String lock = order.get(2);
    try {
      return Long.toString(
          switch (order.get(1)) {
            case "acquire" -> acquire(lock, Duration.ofMillis(Long.parseLong(order.get(3))));
            case "release" -> release(lock);
            default -> throw new IllegalArgumentException("No order: " + order);
          });
    } catch (RuntimeException e) {
      return FAILED + " " + e;
    }
  }

  /** Returns when the lock was held. */
  private long acquire(String lock, Duration ttl) {
    Grant grant = client.lock(lock).acquire(AcquireOptions.forever().ttl(ttl));
    long held = System.nanoTime();
    grants.put(lock, grant);
    return held;
  }

  /** Returns when giving it back began. */
  private long release(String lock) {
    Grant grant = Optional.ofNullable(grants.remove(lock)).orElseThrow();
    long begun = System.nanoTime();
    grant.release();
    return begun;
  }

  private static void say(String id, String answer) {
    System.out.println(id + " " + answer);
  }
}
