package io.holdfast.cli.app;

import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An application that knows Holdfast's API and nothing else: two clients take turns at one lock of
 * the store that its one argument names.
 */
public final class Orders {

  private static final int TURNS = 5;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private Orders() {}

  /** Prints the tokens of the turns, in their order, and what the store is called. */
  public static void main(String[] arguments) throws Exception {
    ExecutorService workers = Executors.newCachedThreadPool();
    try (LockClient one = connect(arguments[0]);
        LockClient other = connect(arguments[0])) {
      // The first use of a client opens its session, for which a single try may leave too little
      // time on a machine that has just started this JVM.
      other.lock("warm").acquire(TIMEOUT).close();
      List<Long> tokens = new ArrayList<>();
      Grant held = one.lock("orders/42").acquire(TIMEOUT);
      for (int turn = 0; turn < TURNS; turn++) {
        tokens.add(held.token().value());
        DistributedLock next = (turn % 2 == 0 ? other : one).lock("orders/42");
        if (next.tryAcquire().isPresent()) {
          throw new IllegalStateException("two holders");
        }
        Future<Grant> waiting = workers.submit(() -> next.acquire(TIMEOUT));
        held.close();
        held = waiting.get();
      }
      held.close();
      System.out.println(tokens);
      System.out.println(one.backend());
    } finally {
      workers.shutdown();
    }
  }

  /** Tries again, since a slow machine that has just started this JVM needs longer than one try. */
  private static LockClient connect(String uri) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (true) {
      try {
        return Holdfast.connect(uri);
      } catch (BackendUnreachableException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
      }
    }
  }
}
