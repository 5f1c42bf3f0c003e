package io.holdfast.engine.seam;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs code of the application's (listeners, log appenders, the effects of an interrupt) on threads
 * that the engine needs for nothing else: one of these for each kind. One listener is told one
 * thing at a time, in order. One that is slow delays no other, unless as many as there may be
 * threads are. Thread-safe.
 */
final class Tellers {

  /** The notifications that one listener has not been told yet. */
  private record Inbox(Object whom, Deque<Runnable> untold) {}

  private final ThreadPoolExecutor threads;
  private final int threadsMax;
  private final Consumer<Runnable> retry;
  private final IdentityHashMap<Object, Inbox> inboxes = new IdentityHashMap<>();
  private final Deque<Inbox> ready = new ArrayDeque<>();
  private int atWork;
  private boolean closed;

  /**
   * Makes tellers, without a thread as yet.
   *
   * @param threadsMax how many threads there may be
   * @param retry runs a task a little later, for when no thread is free
   */
  Tellers(ThreadFactory factory, int threadsMax, Consumer<Runnable> retry) {
    this.retry = retry;
    this.threadsMax = threadsMax;
    this.threads =
        new ThreadPoolExecutor(
            0, threadsMax, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
  }

  /**
   * Tells a listener something after all that it was told before. An exception of the notification
   * is lost: a caller that wants it logged does so in the notification.
   */
  void tell(Object whom, Runnable notification) {
    tell(whom, notification, Integer.MAX_VALUE);
  }

  /** Tells it, unless the listener has not been told so many things yet. */
  void tell(Object whom, Runnable notification, int behindMax) {
    boolean here;
    synchronized (this) {
      here = closed && atWork == 0;
      if (!here) {
        put(whom, notification, behindMax);
      }
    }
    if (here) {
      run(notification);
    } else {
      helpOut();
    }
  }

  private void put(Object whom, Runnable notification, int behindMax) {
    Inbox inbox = inboxes.get(whom);
    if (inbox == null) {
      inbox = new Inbox(whom, new ArrayDeque<>());
      inboxes.put(whom, inbox);
      ready.add(inbox);
    }
    if (inbox.untold.size() < behindMax) {
      inbox.untold.add(notification);
    }
  }

  /**
   * Puts one more thread to work if that is of use; if the machine gives none, tries again later.
   */
  private void helpOut() {
    synchronized (this) {
      if (ready.isEmpty() || atWork == threadsMax) {
        return; // The threads that are at work come to it.
      }
      atWork++;
    }
    try {
      threads.execute(this::work);
    } catch (RejectedExecutionException | Error e) {
      if (mayWaitForAThread()) {
        retry.accept(this::helpOut);
      } else {
        work();
      }
    }
  }

  /** Whether there is a later, for the one that is at work without a thread. */
  private synchronized boolean mayWaitForAThread() {
    if (!closed) {
      atWork--; // Else close() would leave the untold to it.
    }
    return !closed;
  }

  private void work() {
    Inbox inbox = null;
    while (true) {
      Runnable notification;
      synchronized (this) {
        inbox = next(inbox);
        if (inbox == null) {
          atWork--;
          return;
        }
        notification = inbox.untold.remove();
      }
      run(notification);
    }
  }

  /** Else this thread would be counted as one at work for ever, and its listener told no more. */
  private static void run(Runnable notification) {
    try {
      notification.run();
    } catch (Throwable unlogged) { // Languages that do not check exceptions throw any.
      return;
    }
  }

  /** The inbox that was served goes to the end of the line, if there is more to tell in it. */
  private @Nullable Inbox next(@Nullable Inbox served) {
    if (served != null) {
      if (served.untold.isEmpty()) {
        inboxes.remove(served.whom);
      } else {
        ready.add(served);
      }
    }
    return ready.poll();
  }

  /**
   * Notifications told before still run; the threads end with them. Those that found no thread are
   * run here, as nothing comes later.
   */
  void close() {
    boolean here;
    synchronized (this) {
      closed = true;
      threads.shutdown();
      here = atWork == 0 && !ready.isEmpty();
      if (here) {
        atWork++;
      }
    }
    if (here) {
      work();
    }
  }
}
