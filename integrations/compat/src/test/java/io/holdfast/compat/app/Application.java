package io.holdfast.compat.app;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A program that uses a lock in each of the stores that its arguments name: it grabs, hands over to
 * another client that waits, and releases. Prints a line for each store.
 */
public final class Application {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Several run at the same time, on the same servers. */
  private static final String LOCK = System.getProperty("compat.lock", "compat");

  private Application() {}

  /** Runs it. */
  public static void main(String[] uris) {
    int failed = 0;
    for (String uri : uris) {
      try {
        use(uri);
        System.out.println("works " + uri);
      } catch (Exception | LinkageError e) {
        failed++;
        System.out.println("fails " + uri + " " + e);
        e.printStackTrace();
      }
    }
    // What a library has left behind must not keep a program that has failed from ending.
    System.exit(failed);
  }

  /** A program that has just started may be too slow for one try on a machine that is busy. */
  private static LockClient connected(String uri) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (true) {
      try {
        return Holdfast.connect(uri);
      } catch (BackendUnreachableException e) {
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
      }
    }
  }

  private static void use(String uri) throws Exception {
    try (LockClient one = connected(uri);
        LockClient other = connected(uri)) {
      Grant first = one.lock(LOCK).acquire(TIMEOUT);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock(LOCK).acquire(TIMEOUT));
      while (one.find(LOCK).orElseThrow().waiters().isEmpty()) {
        if (waits.isDone()) {
          throw new IllegalStateException("It did not wait, but had " + waits.get());
        }
        Thread.sleep(5);
      }
      first.release();
      Grant second = waits.get();
      if (second.token().value() <= first.token().value() || first.isHeld() || !second.isHeld()) {
        throw new IllegalStateException(first + " and then " + second);
      }
      second.release();
    }
  }
}
