package io.holdfast.benchmarks.counts;

import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.error.LockInterruptedException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * The heap that a client uses, for each lock that it holds and for each that a thread of it waits
 * for. Left out are the threads, their stacks, and the buffers that the JDK keeps for each thread
 * that has ever used a socket.
 *
 * @param held how many locks were held
 * @param heldBytes for each of them
 * @param waiting how many locks were waited for
 * @param waitingBytes for each of them
 */
public record HeapCost(int held, long heldBytes, int waiting, long waitingBytes) {

  private static final int COLLECTIONS = 4;
  private static final int WARM_UP = 200;
  private static final Duration ASKED_EVERY = Duration.ofMillis(50);
  private static final String LOCK = "heap/";

  /**
   * Measures. Nothing else may go on in this process.
   *
   * @param held how many locks are to be held
   * @param waiting how many of them another client waits for
   */
  static HeapCost of(CountedStore store, int held, int waiting) {
    try (LockClient holder = Holdfast.builder().defaultTtl(Party.TTL).connect(store.connect());
        LockClient waiter = Holdfast.builder().defaultTtl(Party.TTL).connect(store.connect())) {
      // Objects that each client needs once are there before.
      for (int i = 0; i < WARM_UP; i++) {
        holder.lock("warm").acquire().release();
        waiter.lock("warm").acquire().release();
      }
      long before = usedBytes();
      List<Grant> grants = new ArrayList<>(held);
      for (int i = 0; i < held; i++) {
        grants.add(holder.lock(LOCK + i).acquire());
      }
      long heldBytes = (usedBytes() - before) / held;
      long waitingBytes = waiting(holder, waiter, waiting);
      grants.forEach(Grant::release);
      return new HeapCost(held, heldBytes, waiting, waitingBytes);
    }
  }

  private static long waiting(LockClient holder, LockClient waiter, int count) {
    CountDownLatch ready = new CountDownLatch(count);
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      DistributedLock lock = waiter.lock(LOCK + i);
      Thread thread = new Thread(() -> waitFor(lock, ready, begin), "waits for " + lock.name());
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    Pauses.await(ready);
    long before = usedBytes();
    begin.countDown();
    for (int i = 0; i < count; i++) {
      while (holder.find(LOCK + i).orElseThrow().waiters().isEmpty()) {
        Pauses.pass(ASKED_EVERY);
      }
    }
    long each = (usedBytes() - before) / count;
    threads.forEach(Thread::interrupt);
    threads.forEach(Pauses::join);
    return each;
  }

  private static void waitFor(DistributedLock lock, CountDownLatch ready, CountDownLatch begin) {
    try {
      // Refused, but now the thread has used a socket.
      Optional<Grant> unused = lock.tryAcquire();
      ready.countDown();
      begin.await();
      lock.acquire().release();
    } catch (InterruptedException | LockInterruptedException e) {
      Thread.currentThread().interrupt(); // As is meant.
    }
  }

  /** The least of some: garbage is freed by the last of them at the latest. */
  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
