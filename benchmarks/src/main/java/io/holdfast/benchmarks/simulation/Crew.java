package io.holdfast.benchmarks.simulation;

import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * One thread that keeps a share of the sessions alive. A heartbeat that is due goes before the next
 * opening. All have the same TTL, so they come due in the order of their last heartbeats.
 */
final class Crew implements Runnable {

  private static final Duration CALL = Duration.ofSeconds(10);
  private static final int DIGITS = 3;

  /** Shared by all crews: whether to open more, and when measuring begins and ends. */
  record Signals(AtomicBoolean opening, CountDownLatch open, AtomicLong from, AtomicLong until) {}

  private record Alive(SessionId id, long sentNanos) {}

  private final LockBackend backend;
  private final String name;
  private final int sessions;
  private final Duration ttl;
  private final Signals signals;
  private final Deque<Alive> alive = new ArrayDeque<>();

  /** From the moment at which a heartbeat was due, so that a queue of ours counts too. */
  private final Histogram sinceDue = new Histogram(DIGITS);

  private final Histogram answered = new Histogram(DIGITS);
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger lapsed = new AtomicInteger();
  private int late;

  Crew(LockBackend backend, String name, int sessions, Duration ttl, Signals signals) {
    this.backend = backend;
    this.name = name;
    this.sessions = sessions;
    this.ttl = ttl;
    this.signals = signals;
  }

  @Override
  public void run() {
    try {
      while (System.nanoTime() - signals.until().get() < 0) {
        step();
      }
      for (Alive each : alive) {
        backend.end(each.id(), EndIf.CLOSED, Deadline.in(CALL));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // The thread that waits for all to be open need not wait for one that failed.
      for (int missing = sessions - opened.get(); missing > 0; missing--) {
        signals.open().countDown();
      }
    }
  }

  private void step() throws InterruptedException {
    Alive next = alive.peek();
    long toWait =
        next == null ? Long.MAX_VALUE : next.sentNanos() + ttl.toNanos() / 3 - System.nanoTime();
    if (next != null && toWait <= 0) {
      alive.remove();
      renew(next);
    } else if (opened.get() < sessions && signals.opening().get()) {
      open();
    } else {
      TimeUnit.NANOSECONDS.sleep(Math.min(toWait, TimeUnit.MILLISECONDS.toNanos(100)));
    }
  }

  private void open() {
    SessionId id = SessionId.fresh();
    long sent = System.nanoTime();
    ProcessIdentity process = new ProcessIdentity("simulated:" + name + "-" + opened);
    backend.open(new SessionSpec(id, ttl, 0, process), Deadline.in(CALL));
    Request request =
        Request.of(new LockName("simulated/" + name + "/" + opened), new RequestId(id, 1), process)
            .with(IfHeld.REFUSE);
    Attempt attempt = backend.grab(request, Deadline.in(CALL));
    if (!(attempt instanceof Attempt.Granted)) {
      throw new IllegalStateException("A lock that nobody has is not granted: " + attempt);
    }
    alive.add(new Alive(id, sent));
    opened.incrementAndGet();
    signals.open().countDown();
  }

  private void renew(Alive session) {
    long due = session.sentNanos() + ttl.toNanos() / 3;
    long sent = System.nanoTime();
    Renewed renewed = backend.renew(session.id(), Deadline.in(CALL));
    long now = System.nanoTime();
    if (sent - signals.from().get() >= 0) {
      sinceDue.recordValue(now - due);
      answered.recordValue(now - sent);
    }
    if (now - session.sentNanos() > ttl.toNanos()) {
      late++;
    }
    if (renewed instanceof Renewed.Alive) {
      alive.add(new Alive(session.id(), sent));
    } else {
      lapsed.incrementAndGet();
    }
  }

  Histogram sinceDue() {
    return sinceDue;
  }

  Histogram answered() {
    return answered;
  }

  /** Returns how many sessions it keeps alive. */
  int alive() {
    return opened.get() - lapsed.get();
  }

  /** Returns how many sessions the store had ended. */
  int lapsed() {
    return lapsed.get();
  }

  /** Returns how many heartbeats were answered after the lease before had run out. */
  int late() {
    return late;
  }
}
