package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.redis.connection.RedisClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.BinaryJedisPubSub;

/**
 * One subscription to the channel of a client's hints. It is over once, whoever finds that first:
 * the thread that reads it, or a heartbeat that finds it silent.
 */
final class HintReader extends BinaryJedisPubSub {

  private static final Logger LOG = LoggerFactory.getLogger(HintReader.class);

  /** What becomes of the subscription. */
  interface Listener {

    /** It is up. */
    void begun(HintReader reader);

    void hint(SessionId session, LockName name);

    /** It has not answered for too long. */
    void silent(HintReader reader);
  }

  private final Listener listener;
  private final RedisClient.Subscription subscription;
  private final Duration silence;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile boolean wasUp;
  private volatile long askedAtNanos;

  /**
   * Makes one that begins with {@link #run}.
   *
   * @param silence how long it may leave a question without an answer
   */
  HintReader(RedisClient redis, byte[] channel, Duration silence, Listener listener) {
    this.listener = listener;
    this.silence = silence;
    this.subscription = redis.subscription(this, channel);
  }

  /** Reads hints until the subscription ends. */
  void run() {
    subscription.run();
  }

  boolean wasUp() {
    return wasUp;
  }

  boolean isOver() {
    return over.get();
  }

  /** Returns whether it was not over before. */
  boolean end() {
    return over.compareAndSet(false, true);
  }

  @Override
  public void onSubscribe(byte[] to, int channels) {
    wasUp = true;
    listener.begun(this);
  }

  @Override
  public void onMessage(byte[] from, byte[] message) {
    try {
      listener.hint(
          new SessionId(new String(message, 0, SessionId.LENGTH, UTF_8)),
          new LockName(
              new String(Arrays.copyOfRange(message, SessionId.LENGTH, message.length), UTF_8)));
    } catch (RuntimeException e) {
      LOG.warn("{}: cannot read a hint", new String(from, UTF_8), e);
    }
  }

  @Override
  public void onPong(byte[] pattern) {
    asked.set(false);
  }

  /** Asks whether it is alive, or finds that it has not answered; never waits for an answer. */
  void check() {
    if (!wasUp || over.get()) {
      return;
    }
    if (asked.compareAndSet(false, true)) {
      askedAtNanos = System.nanoTime();
      try {
        ping();
      } catch (RuntimeException e) {
        close();
      }
    } else if (System.nanoTime() - askedAtNanos > silence.toNanos()) {
      listener.silent(this);
    }
  }

  void close() {
    try {
      subscription.close();
    } catch (RuntimeException e) {
      LOG.debug("It was broken already", e);
    }
  }
}
