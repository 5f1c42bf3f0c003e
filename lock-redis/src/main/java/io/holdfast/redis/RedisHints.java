package io.holdfast.redis;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
  private final HintListeners listeners = new HintListeners();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable HintReader current;

  /** Guards what follows. */
  private final Object lock = new Object();

  private boolean hasThread;

  /**
   * Completed when the present subscription is up, or with why there is none; replaced when it has
   * ended.
   */
  private CompletableFuture<Optional<BackendUnusableException>> subscribed =
      new CompletableFuture<>();

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

  /**
   * Registers the listener, and returns as soon as the subscription is up.
   *
   * @throws BackendUnusableException if the user may not subscribe or publish
   */
  AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    listeners.add(session, listener);
    try {
      await(subscription(), deadline);
    } catch (RuntimeException | Error e) {
      listeners.remove(session, listener);
      throw e;
    }
    return () -> listeners.remove(session, listener);
  }

  /** Returns the present subscription, or the next one. */
  private CompletableFuture<Optional<BackendUnusableException>> subscription() {
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

  private void await(
      CompletableFuture<Optional<BackendUnusableException>> subscription, Deadline deadline) {
    try {
      Optional<BackendUnusableException> refusal =
          subscription.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
      if (refusal.isPresent()) {
        throw new BackendUnusableException(
            String.valueOf(refusal.get().getMessage()), refusal.get());
      }
    } catch (TimeoutException | ExecutionException e) {
      throw new BackendFailure(
          Effect.NONE,
          "The subscription to hints at %s was not made in time, or what is published does not arrive."
              .formatted(redis.describe()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          Effect.NONE, "Interrupted while subscribing at %s.".formatted(redis.describe()), e);
    }
  }

  /**
   * Reads one subscription after the other. Goes on after every exception and error: no other
   * thread takes this one's place but when it is left behind. It ends if the user lacks a
   * permission, until a client asks again.
   */
  private void subscribe() {
    long pause = PAUSE_MILLIS_MIN;
    while (closed.getCount() > 0) {
      boolean wasUp = false;
      try {
        HintReader reader = new HintReader(redis, channel, silence, new Events());
        Optional<BackendUnusableException> refusal = read(reader);
        wasUp = reader.wasUp();
        if (!end(reader)) {
          return;
        }
        if (refusal.isPresent()) {
          refuse(refusal.get());
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

  /** A thread that waits for a subscription is told why there is none. */
  private void refuse(BackendUnusableException e) {
    synchronized (lock) {
      subscribed.complete(Optional.of(e));
      subscribed = new CompletableFuture<>();
      hasThread = false;
    }
  }

  /** Reads hints until the subscription ends, and returns the refusal if the user may have none. */
  private Optional<BackendUnusableException> read(HintReader reader) {
    current = reader;
    if (closed.getCount() == 0) {
      return Optional.empty(); // close() may have missed this reader.
    }
    try {
      return reader.run();
    } catch (RuntimeException | Error e) {
      logEnd(reader, e);
      return Optional.empty();
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
      listeners.endAll();
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
          subscribed.complete(Optional.empty());
        }
      }
    }

    @Override
    public void hint(SessionId session, LockName name) {
      listeners.hint(session, name);
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
      CompletableFuture<Optional<BackendUnusableException>> unused = subscription();
    } catch (RuntimeException | Error e) {
      LOG.warn("{}: no thread reads hints until one is asked for", redis.describe(), e);
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
