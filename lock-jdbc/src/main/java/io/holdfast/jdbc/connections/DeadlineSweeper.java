package io.holdfast.jdbc.connections;

import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls at their deadline, with one thread that looks at all calls under way. It sleeps until
 * the earliest deadline that it was told of, and is only woken up for one that is earlier still. A
 * call that returns does not tell it. So nearly all calls cost neither an alarm of their own nor a
 * change of threads, which may take as long as the call itself.
 *
 * <p>No deadline is missed: a call is put among those under way before it reads when the thread
 * wakes up, and the thread says that it never does before it looks at those under way. So either
 * the thread sees the call, or the call sees that the thread must be woken up.
 */
final class DeadlineSweeper implements DeadlineTimer, AutoCloseable {

  private static final long NEVER = Long.MAX_VALUE;

  private final ThreadFactory threads;
  private final Executor executor;
  private final long idleNanos;

  /** Times are counted from here, so that they can be compared as numbers. */
  private final long originNanos = System.nanoTime();

  private final Set<Running> running = ConcurrentHashMap.newKeySet();

  /** When the thread wakes up by itself. */
  private final AtomicLong wakesAt = new AtomicLong(NEVER);

  private final Object starting = new Object();
  private volatile @Nullable Thread thread;
  private volatile boolean closed;

  private final class Running implements Call {

    private final Runnable end;
    private final long endsAt;

    /** Whether it has returned or is being ended. */
    private final AtomicBoolean decided = new AtomicBoolean();

    Running(Runnable end, long endsAt) {
      this.end = end;
      this.endsAt = endsAt;
    }

    @Override
    public boolean returned() {
      running.remove(this);
      if (closed) {
        wake();
      }
      return decided.compareAndSet(false, true);
    }

    void endNow() {
      running.remove(this);
      if (decided.compareAndSet(false, true)) {
        try {
          executor.execute(end);
        } catch (RuntimeException | Error noThread) {
          end.run();
        }
      }
    }
  }

  /**
   * Makes one without a thread yet.
   *
   * @param executor carries out what ends calls
   * @param idle how long the thread stays when there is no call
   */
  DeadlineSweeper(ThreadFactory threads, Executor executor, Duration idle) {
    this.threads = threads;
    this.executor = executor;
    this.idleNanos = idle.toNanos();
  }

  @Override
  public Call start(Deadline deadline, Runnable end) {
    Running call = new Running(end, endsAt(deadline));
    running.add(call);
    if (isFirst(call) || thread == null) {
      try {
        startOrWake();
      } catch (RuntimeException | Error e) {
        running.remove(call);
        throw e;
      }
    }
    return call;
  }

  /** Returns whether the thread would wake up too late for a call, and has it wake up in time. */
  private boolean isFirst(Running call) {
    long next = wakesAt.get();
    while (call.endsAt < next) {
      if (wakesAt.compareAndSet(next, call.endsAt)) {
        return true;
      }
      next = wakesAt.get();
    }
    return false;
  }

  private long endsAt(Deadline deadline) {
    return now() + Math.min(deadline.remaining().toNanos(), NEVER / 2);
  }

  private long now() {
    return System.nanoTime() - originNanos;
  }

  private void startOrWake() {
    synchronized (starting) {
      if (thread == null) {
        Thread started = threads.newThread(this::run);
        started.start();
        thread = started;
      }
    }
    wake();
  }

  private void wake() {
    LockSupport.unpark(thread);
  }

  private void run() {
    try {
      do {
        sweepUntilIdle();
      } while (!leave());
    } finally {
      synchronized (starting) {
        if (thread == Thread.currentThread()) {
          thread = null;
        }
      }
    }
  }

  private void sweepUntilIdle() {
    long idleSince = now();
    while (!running.isEmpty() || (!closed && now() - idleSince < idleNanos)) {
      if (sweep()) {
        idleSince = now();
      }
      LockSupport.parkNanos(this, Math.min(wakesAt.get() - now(), idleNanos));
    }
  }

  /** Ends the calls that are due, and returns whether there were others. */
  private boolean sweep() {
    long told = wakesAt.getAndSet(NEVER);
    long earliest = NEVER;
    for (Running call : running) {
      if (call.endsAt <= now()) {
        call.endNow();
      } else {
        earliest = Math.min(earliest, call.endsAt);
      }
    }
    // Also if the call of that time has returned: else each of many short calls would find that the
    // thread never wakes up, and wake it.
    long next = told > now() ? Math.min(told, earliest) : earliest;
    // If a call came meanwhile, it has woken this thread up, which sweeps once more then.
    wakesAt.set(next);
    return earliest != NEVER;
  }

  /** Lets the next call start another thread, unless it is there already. */
  private boolean leave() {
    synchronized (starting) {
      wakesAt.set(NEVER);
      if (!running.isEmpty()) {
        return false;
      }
      thread = null;
      return true;
    }
  }

  /** Calls under way are still ended at their deadline. */
  @Override
  public void close() {
    closed = true;
    wake();
  }
}
