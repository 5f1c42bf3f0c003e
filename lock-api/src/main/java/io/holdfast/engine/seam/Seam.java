package io.holdfast.engine.seam;

import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The engine's only way to clocks, timers, threads and the store. Production runs on {@link
 * ThreadedSeam}; a simulator may put virtual time in its place.
 */
public interface Seam extends AutoCloseable {

  /** The thread that runs a call to the store. */
  enum Runner {
    /** On the thread that asks, before {@link #call} returns: an acquire makes no thread hop. */
    CALLER,
    /** On threads that run nothing but heartbeats. */
    HEARTBEAT,
    /** On a small pool. */
    BACKGROUND
  }

  /** A call to the store. */
  @FunctionalInterface
  interface Verb<T> {
    /** Makes the call. */
    T call(Deadline deadline);
  }

  /** Something that was scheduled. */
  @FunctionalInterface
  interface Timer {
    /** There is nothing to take back. One for all: each lambda expression costs a start time. */
    Timer NONE = () -> {};

    /** Takes it back, if it has not begun. */
    void cancel();
  }

  /** Returns the monotonic clock in nanoseconds. */
  long nanos();

  /** Returns this machine's wall clock in milliseconds, which only shows that the machine slept. */
  long wallMillis();

  /** Runs a task that never blocks after a delay; tasks run one at a time. */
  Timer after(long delayNanos, Runnable task);

  /**
   * Calls the store on the calling thread, which cannot leave the call: its driver keeps to the
   * deadline, or it hangs.
   *
   * @return what the store answered
   * @throws RuntimeException what the call failed with
   */
  <T> T callHere(Duration timeout, Verb<T> verb);

  /**
   * Calls the store and then exactly one of the two consumers, on the thread that made the call or
   * that gave it up, or on the present one if no thread is free for it: then nothing was done. A
   * call that has not returned some time after its deadline is given up, with a failure of unknown
   * effect, except in {@link Runner#CALLER}, whose thread cannot leave it.
   */
  <T> void call(
      Runner runner,
      Duration timeout,
      Verb<T> verb,
      Consumer<T> onValue,
      Consumer<RuntimeException> onFailure);

  /**
   * Runs something of the application's, which may take long, where it delays nothing of ours.
   *
   * @param listener the one that is told: one thing at a time, in order, without waiting for other
   *     listeners
   */
  void tell(Object listener, Runnable notification);

  /**
   * Carries out a signal of the engine's own (a body is interrupted, a term ends), like {@link
   * #tell}, where no listener of the application's delays it. It never waits; only what an
   * interrupt sets off, like the closing of a channel, may be slow.
   */
  default void signal(Object whom, Runnable signal) {
    tell(whom, signal);
  }

  /** Tells operators something, like {@link #tell}: one who is far behind misses what follows. */
  default void tellOfEvent(Object listener, Runnable notification) {
    tell(listener, notification);
  }

  /**
   * Tells of the outcome of an acquire for which no thread waits, like {@link #tell}: what the
   * application does with it delays nothing but other outcomes.
   */
  default void tellOfOutcome(Object acquire, Runnable notification) {
    tell(acquire, notification);
  }

  /**
   * Runs what a watch tells, like {@link #tell}, so that slow watches delay nothing but watches:
   * there may be many, and all have something to tell when the store is away.
   */
  default void tellOfWatch(Object listener, Runnable notification) {
    tell(listener, notification);
  }

  /** Blocks the calling thread until the future is complete. */
  <T> T await(CompletableFuture<T> future, Duration timeout)
      throws InterruptedException, TimeoutException;

  /** Blocks as {@link #await} does, through interrupts: one that comes is pending afterwards. */
  default <T> T awaitThroughInterrupts(CompletableFuture<T> future, Duration timeout)
      throws TimeoutException {
    long endNanos = nanos() + timeout.toNanos();
    InterruptsAside interrupts = new InterruptsAside();
    try {
      while (true) {
        try {
          return await(future, Duration.ofNanos(Math.max(0, endNanos - nanos())));
        } catch (InterruptedException e) {
          interrupts.come();
        }
      }
    } finally {
      interrupts.putBack();
    }
  }

  /** Runs a task when the JVM exits, unless taken back. */
  Timer onExit(Runnable task);

  /** Stops every thread; timers and calls that have not begun are dropped. */
  @Override
  void close();
}
