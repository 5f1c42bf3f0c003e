package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.BinaryJedisPubSub;

/**
 * The hints of one client, over one channel and one thread. A message is a session and the name of
 * the lock in which it has become the head. What is published while the subscription is down is
 * lost, so everybody is told that the hints have ended, and listens again when it is up.
 */
final class RedisHints implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RedisHints.class);

  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_MILLIS_MIN = 100;
  private static final long PAUSE_MILLIS_MAX = 2_000;

  private final Redis redis;
  private final byte[] channel;
  private final Map<SessionId, HintListener> listeners = new ConcurrentHashMap<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Reader current;

  /** Is opened each time that there is a subscription after there was none. */
  private volatile CountDownLatch subscribed = new CountDownLatch(1);

  RedisHints(Redis redis, byte[] channel) {
    this.redis = redis;
    this.channel = channel.clone();
  }

  byte[] channel() {
    return channel.clone();
  }

  /** Begins to listen, and returns when nothing is missed any more. */
  AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    listeners.put(session, listener);
    try {
      awaitSubscription(deadline);
    } catch (RuntimeException e) {
      listeners.remove(session, listener);
      throw e;
    }
    return () -> listeners.remove(session, listener);
  }

  private void awaitSubscription(Deadline deadline) {
    if (started.compareAndSet(false, true)) {
      Thread thread = new Thread(this::subscribe, "holdfast-redis-hints");
      thread.setDaemon(true);
      thread.start();
    }
    try {
      if (!subscribed.await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new BackendFailure(
            Effect.NONE, "No subscription at %s.".formatted(redis.describe()), null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          Effect.NONE, "Interrupted while subscribing at %s.".formatted(redis.describe()), e);
    }
  }

  private void subscribe() {
    long pause = PAUSE_MILLIS_MIN;
    while (closed.getCount() > 0) {
      Reader reader = new Reader();
      current = reader;
      if (closed.getCount() == 0) {
        return; // Else nobody would close this one.
      }
      try {
        reader.subscription.run();
      } catch (RuntimeException e) {
        tell(reader, e);
      }
      if (reader.wasUp) {
        // First, so that whoever begins to listen from now on waits for the next one.
        subscribed = new CountDownLatch(1);
        endAll();
        pause = PAUSE_MILLIS_MIN;
      }
      pause(pause);
      pause = Math.min(2 * pause, PAUSE_MILLIS_MAX);
    }
  }

  /** Once for each time that it was up. */
  private void tell(Reader reader, RuntimeException e) {
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
      // Nobody interrupts this thread; if somebody does, it goes on a little earlier.
      LOG.debug("Interrupted", e);
    }
  }

  /**
   * Sees whether the subscription is alive, as a connection may be dead without telling. To be
   * called once in a while; never waits for an answer.
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
            listener.ended();
          }
        });
  }

  private final class Reader extends BinaryJedisPubSub {

    private final Redis.Subscription subscription = redis.subscription(this, channel.clone());
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
        LOG.warn("{}: a hint that cannot be read", redis.describe(), e);
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
