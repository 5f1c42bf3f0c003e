package io.holdfast.memory.simulation;

import io.holdfast.tck.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Threads in virtual time. One of them runs at a time, until it waits for something; which one goes
 * on is drawn by chance, so a seed repeats a run. Time passes when all wait.
 */
final class SimulatedThreads {

  private final VirtualTime time;
  private final Random random;
  private final List<Actor> actors = new ArrayList<>();
  private final Semaphore yielded = new Semaphore(0);

  SimulatedThreads(VirtualTime time, Random random) {
    this.time = time;
    this.random = random;
  }

  /** One thread. */
  final class Actor extends Thread {
    private final Runnable body;
    private final Semaphore mayRun = new Semaphore(0);
    private BooleanSupplier condition = () -> true;
    private long endNanos = Long.MAX_VALUE;
    private boolean ended;
    private Optional<Throwable> failure = Optional.empty();

    private Actor(String name, Runnable body) {
      super(name);
      this.body = body;
      setDaemon(true);
    }

    @Override
    public void run() {
      mayRun.acquireUninterruptibly();
      try {
        body.run();
      } catch (Throwable thrown) {
        failure = Optional.of(thrown);
      }
      ended = true;
      yielded.release();
    }

    private boolean isReady() {
      return !ended && (time.nanos() >= endNanos || condition.getAsBoolean());
    }

    /** Lets others run until something is true, or the time is up. */
    private void yieldUntil(BooleanSupplier wanted, long nanos) {
      condition = wanted;
      endNanos = nanos;
      yielded.release();
      mayRun.acquireUninterruptibly();
    }
  }

  /** Makes a thread, which begins with {@link #run} or, if that is under way, soon. */
  Actor start(String name, Runnable body) {
    Actor actor = new Actor(name, body);
    actors.add(actor);
    actor.start();
    return actor;
  }

  private static Actor present() {
    return (Actor) Thread.currentThread();
  }

  static boolean isActor() {
    return Thread.currentThread() instanceof Actor;
  }

  /** Lets so much time pass for the calling thread. */
  void pause(Duration length) {
    present().yieldUntil(() -> false, time.nanos() + length.toNanos());
  }

  /** Lets time pass for the calling thread until something is true; returns whether it is. */
  public boolean await(BooleanSupplier wanted, Duration limit) {
    present().yieldUntil(wanted, time.nanos() + limit.toNanos());
    return wanted.getAsBoolean();
  }

  /** Lets all threads run to their ends. */
  void run(Duration limit) {
    long endNanos = time.nanos() + limit.toNanos();
    while (true) {
      List<Actor> alive = actors.stream().filter(actor -> !actor.ended).toList();
      if (alive.isEmpty()) {
        break;
      }
      List<Actor> ready = alive.stream().filter(Actor::isReady).toList();
      if (ready.isEmpty()) {
        long first = alive.stream().mapToLong(actor -> actor.endNanos).min().orElseThrow();
        long until = Math.min(first, endNanos);
        if (time.nanos() >= endNanos) {
          throw new AssertionError("After " + limit + " there still wait " + alive);
        }
        boolean unused =
            time.runUntil(
                () -> alive.stream().anyMatch(Actor::isReady),
                Duration.ofNanos(Math.max(0, until - time.nanos())));
      } else {
        resume(ready.get(random.nextInt(ready.size())));
      }
    }
    actors.clear();
  }

  private void resume(Actor actor) {
    actor.mayRun.release();
    yielded.acquireUninterruptibly();
    if (actor.failure.isPresent()) {
      throw new AssertionError(actor.getName() + " failed", actor.failure.get());
    }
  }
}
