package io.holdfast.redis;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints of one client, over one channel and one thread. A message contains a session and the
 * name of the lock whose head the session has become, or for which another waits behind it.
 * Messages that are published while the subscription is down are lost. So each listener is told
 * that its hints have ended, and listens again later.
 *
 * <p>A thread that reads what has become silent may do so for long, as not every connection can be
 * broken: it is left behind, and another takes its place.
 */
final class RedisHints implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RedisHints.class);

  private static final Duration SILENCE = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS_MIN = 100;
  private static final long PAUSE_MILLIS_MAX = 2_000;

  private final RedisClient redis;
  private final byte[] channel;
  private final ThreadFactory threads;
  private final Duration silence;
  private final Map<SessionId, HintListener> listeners = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable HintReader current;

  /** Guards what follows. */
  private final Object lock = new Object();

  private boolean hasThread;

  /** Completed when the present subscription is up; replaced when it has ended. */
  private CompletableFuture<Boolean> subscribed = new CompletableFuture<>();

  RedisHints(RedisClient redis, byte[] channel) {
    this(redis, channel, Thread::new, SILENCE);
  }

  /**
   * Makes one without a subscription.
   *
   * @param silence how long a subscription may leave a question without an answer
   */
  RedisHints(RedisClient redis, byte[] channel, ThreadFactory threads, Duration silence) {
    this.redis = redis;
    this.channel = channel.clone();
    this.threads = threads;
    this.silence = silence;
  }

  byte[] channel() {
    return channel.clone();
  }

  /** Registers the listener, and returns as soon as the subscription is up. */
  AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    listeners.put(session, listener);
    try {
      await(subscription(), deadline);
    } catch (RuntimeException | Error e) {
      listeners.remove(session, listener);
      throw e;
    }
    return () -> listeners.remove(session, listener);
  }

  /** Returns the present subscription, or the next one. */
  private CompletableFuture<Boolean> subscription() {
    synchronized (lock) {
      if (!hasThread) {
        startThread(); // If that fails, the next to listen may get a thread.
        hasThread = true;
      }
      return subscribed;
    }
  }

  private void startThread() {
    Thread thread = threads.newThread(this::subscribe);
    thread.setName("holdfast-redis-hints");
    thread.setDaemon(true);
    thread.start();
  }

  private void await(CompletableFuture<Boolean> subscription, Deadline deadline) {
    try {
      boolean unused = subscription.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new BackendFailure(
          Effect.NONE,
          "The subscription to hints at %s was not made in time.".formatted(redis.describe()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          Effect.NONE, "Interrupted while subscribing at %s.".formatted(redis.describe()), e);
    }
  }

  /**
   * Reads one subscription after the other. Goes on whatever is thrown, errors too: no other thread
   * takes this one's place but when it is left behind.
   */
  private void subscribe() {
    long pause = PAUSE_MILLIS_MIN;
    while (closed.getCount() > 0) {
      boolean wasUp = false;
      try {
        HintReader reader = new HintReader(redis, channel.clone(), silence, new Events());
        read(reader);
        wasUp = reader.wasUp();
        if (!end(reader)) {
          return;
        }
      } catch (RuntimeException | Error e) {
        LOG.warn("{}: unexpected failure of the hints", redis.describe(), e);
      }
      pause = wasUp ? PAUSE_MILLIS_MIN : pause;
      pause(pause);
      pause = Math.min(2 * pause, PAUSE_MILLIS_MAX);
    }
  }

  /** Reads hints until the subscription ends. */
  private void read(HintReader reader) {
    current = reader;
    if (closed.getCount() == 0) {
      return; // close() may have missed this reader.
    }
    try {
      reader.run();
    } catch (RuntimeException | Error e) {
      logEnd(reader, e);
    }
  }

  /**
   * Ends what relies on a subscription, once.
   *
   * @return false if it has ended before, and another thread has the place of the one that reads it
   */
  private boolean end(HintReader reader) {
    synchronized (lock) {
      if (!reader.end()) {
        return false;
      }
      if (reader.wasUp()) {
        // Before endAll, so that listeners that come from now on wait for the next subscription.
        subscribed = new CompletableFuture<>();
      }
    }
    if (reader.wasUp()) {
      endAll();
    }
    return true;
  }

  /** Logs the end of a subscription that was up; only a debug line for failed attempts. */
  private void logEnd(HintReader reader, Throwable e) {
    if (reader.wasUp() && !reader.isOver() && closed.getCount() > 0) {
      LOG.info(
          "{}: no hints until there is a subscription again: {}", redis.describe(), e.toString());
    } else {
      LOG.debug("{}: no subscription: {}", redis.describe(), e.toString());
    }
  }

  private void pause(long millis) {
    try {
      closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // This thread is private, so it is not interrupted. If it is, the pause is only shorter.
      LOG.debug("Interrupted", e);
    }
  }

  /**
   * Checks that the subscription is alive, because a connection may fail silently. Called with each
   * heartbeat; never waits for an answer.
   */
  void check() {
    @Nullable HintReader reader = current;
    if (reader != null) {
      reader.check();
    }
  }

  private final class Events implements HintReader.Listener {

    @Override
    public void begun(HintReader reader) {
      synchronized (lock) {
        if (!reader.isOver()) {
          subscribed.complete(true);
        }
      }
    }

    @Override
    public void hint(SessionId session, LockName name) {
      @Nullable HintListener listener = listeners.get(session);
      if (listener != null) {
        listener.accept(name);
      }
    }

    @Override
    public void silent(HintReader reader) {
      if (end(reader)) {
        LOG.info(
            "{}: the subscription to hints does not answer; another is made", redis.describe());
        reader.close();
        replaceThread();
      }
    }
  }

  private void replaceThread() {
    synchronized (lock) {
      hasThread = false;
    }
    try {
      CompletableFuture<Boolean> unused = subscription();
    } catch (RuntimeException | Error e) {
      LOG.warn("{}: no thread reads hints until one is asked for", redis.describe(), e);
    }
  }

  private void endAll() {
    listeners.forEach(
        (session, listener) -> {
          if (listeners.remove(session, listener)) {
            tellEnd(listener);
          }
        });
  }

  /** One that fails keeps no other from being told. */
  private void tellEnd(HintListener listener) {
    try {
      listener.ended();
    } catch (RuntimeException | Error e) {
      LOG.warn("{}: a listener could not be told that hints have ended", redis.describe(), e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    @Nullable HintReader reader = current;
    if (reader != null) {
      reader.close();
    }
  }
}
