package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.BinaryJedisPubSub;

/**
 * The hints of one client, over one channel and one thread. A message contains a session and the
 * name of the lock whose head the session has become, or for which another waits behind it.
 * Messages that are published while the subscription is down are lost. So each listener is told
 * that its hints have ended, and listens again later.
 */
final class RedisHints implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RedisHints.class);

  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_MILLIS_MIN = 100;
  private static final long PAUSE_MILLIS_MAX = 2_000;

  private final RedisClient redis;
  private final byte[] channel;
  private final ThreadFactory threads;
  private final Map<SessionId, HintListener> listeners = new ConcurrentHashMap<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Reader current;

  /** Counted down when the present subscription is up; replaced when it has ended. */
  private volatile CountDownLatch subscribed = new CountDownLatch(1);

  RedisHints(RedisClient redis, byte[] channel) {
    this(redis, channel, Thread::new);
  }

  RedisHints(RedisClient redis, byte[] channel, ThreadFactory threads) {
    this.redis = redis;
    this.channel = channel.clone();
    this.threads = threads;
  }

  byte[] channel() {
    return channel.clone();
  }

  /** Registers the listener, and returns as soon as the subscription is up. */
  AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    listeners.put(session, listener);
    try {
      awaitSubscription(deadline);
    } catch (RuntimeException | Error e) {
      listeners.remove(session, listener);
      throw e;
    }
    return () -> listeners.remove(session, listener);
  }

  private void awaitSubscription(Deadline deadline) {
    if (started.compareAndSet(false, true)) {
      begin();
    }
    try {
      if (!subscribed.await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new BackendFailure(
            Effect.NONE,
            "The subscription to hints at %s was not made in time.".formatted(redis.describe()),
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          Effect.NONE, "Interrupted while subscribing at %s.".formatted(redis.describe()), e);
    }
  }

  private void begin() {
    try {
      Thread thread = threads.newThread(this::subscribe);
      thread.setName("holdfast-redis-hints");
      thread.setDaemon(true);
      thread.start();
    } catch (RuntimeException | Error e) {
      started.set(false); // The next to listen may get a thread.
      throw e;
    }
  }

  /** Goes on whatever is thrown, errors too: no other thread takes this one's place. */
  private void subscribe() {
    long pause = PAUSE_MILLIS_MIN;
    while (closed.getCount() > 0) {
      boolean wasUp = false;
      try {
        wasUp = read();
      } catch (RuntimeException | Error e) {
        LOG.warn("{}: unexpected failure of the hints", redis.describe(), e);
      }
      pause = wasUp ? PAUSE_MILLIS_MIN : pause;
      pause(pause);
      pause = Math.min(2 * pause, PAUSE_MILLIS_MAX);
    }
  }

  /** Reads hints until the subscription ends, and returns whether it was up. */
  private boolean read() {
    Reader reader = new Reader();
    current = reader;
    if (closed.getCount() == 0) {
      return false; // close() may have missed this reader.
    }
    try {
      reader.subscription.run();
    } catch (RuntimeException | Error e) {
      logEnd(reader, e);
    }
    if (reader.wasUp) {
      // Before endAll, so that listeners that come from now on wait for the next subscription.
      subscribed = new CountDownLatch(1);
      endAll();
    }
    return reader.wasUp;
  }

  /** Logs the end of a subscription that was up; only a debug line for failed attempts. */
  private void logEnd(Reader reader, Throwable e) {
    if (reader.wasUp && closed.getCount() > 0) {
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
    @Nullable Reader reader = current;
    if (reader != null) {
      reader.check();
    }
  }

  private void hint(SessionId session, LockName name) {
    @Nullable HintListener listener = listeners.get(session);
    if (listener != null) {
      listener.accept(name);
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

  private final class Reader extends BinaryJedisPubSub {

    private final RedisClient.Subscription subscription = redis.subscription(this, channel.clone());
    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile boolean wasUp;
    private volatile long askedAtNanos;

    @Override
    public void onSubscribe(byte[] to, int channels) {
      wasUp = true;
      subscribed.countDown();
    }

    @Override
    public void onMessage(byte[] from, byte[] message) {
      try {
        hint(
            new SessionId(new String(message, 0, SessionId.LENGTH, UTF_8)),
            new LockName(
                new String(Arrays.copyOfRange(message, SessionId.LENGTH, message.length), UTF_8)));
      } catch (RuntimeException e) {
        LOG.warn("{}: cannot read a hint", redis.describe(), e);
      }
    }

    @Override
    public void onPong(byte[] pattern) {
      asked.set(false);
    }

    void check() {
      if (!wasUp) {
        return;
      }
      if (asked.compareAndSet(false, true)) {
        askedAtNanos = System.nanoTime();
        try {
          ping();
        } catch (RuntimeException e) {
          subscription.close();
        }
      } else if (System.nanoTime() - askedAtNanos > SILENCE_NANOS) {
        subscription.close();
      }
    }
  }

  @Override
  public void close() {
    closed.countDown();
    @Nullable Reader reader = current;
    if (reader != null) {
      reader.subscription.close();
    }
  }
}
