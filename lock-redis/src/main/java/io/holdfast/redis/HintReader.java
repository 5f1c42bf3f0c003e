package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.BinaryJedisPubSub;

/**
 * One subscription to the channel of a client's hints. It is up when a message that the client has
 * published itself has arrived: its user may not publish, or published messages may not arrive. It
 * is over once, found by the first of two: the thread that reads it, or a heartbeat that finds it
 * silent.
 *
 * <p>Nothing that is thrown leaves what jedis calls here: it would give back to the application's
 * pool a connection that is still subscribed.
 */
final class HintReader extends BinaryJedisPubSub {

  private static final Logger LOG = LoggerFactory.getLogger(HintReader.class);

  /** Shorter than any hint. */
  private static final byte[] TRIAL = {'t', 'r', 'y'};

  private static final Duration PUBLISH_WITHIN = Duration.ofSeconds(5);

  /** Is told of the subscription. */
  interface Listener {

    /** It is up. */
    void begun(HintReader reader);

    void hint(SessionId session, LockName name);

    /** It has not answered for too long. */
    void silent(HintReader reader);
  }

  private final RedisClient redis;
  private final byte[] channel;
  private final Listener listener;
  private final RedisClient.Subscription subscription;
  private final Duration silence;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile boolean isMade;
  private volatile boolean wasUp;
  private volatile long askedAtNanos;

  /** Of the thread that reads. */
  private Optional<BackendUnusableException> notPublished = Optional.empty();

  /**
   * Makes one that begins with {@link #run}.
   *
   * @param silence how long it may leave a question without an answer
   */
  HintReader(RedisClient redis, byte[] channel, Duration silence, Listener listener) {
    this.redis = redis;
    this.channel = channel.clone();
    this.listener = listener;
    this.silence = silence;
    this.subscription = redis.subscription(this, channel.clone());
  }

  /**
   * Reads hints until the subscription ends. An exception need not come again at the next attempt.
   *
   * @return the refusal if the user may not subscribe or publish
   */
  Optional<BackendUnusableException> run() {
    try {
      Optional<BackendUnusableException> notSubscribed = subscription.run();
      return notSubscribed.or(() -> notPublished);
    } catch (RuntimeException e) {
      if (notPublished.isPresent()) {
        return notPublished; // That is why it was broken.
      }
      throw e;
    }
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
    endingIfThrown(this::begin);
  }

  private void begin() {
    if (!subscription.made()) {
      return;
    }
    askedAtNanos = System.nanoTime();
    asked.set(true);
    isMade = true;
    try {
      notPublished = publish();
    } catch (RuntimeException e) {
      LOG.debug("{}: no hint could be published to try it", redis.describe(), e);
      close();
    }
    if (notPublished.isPresent()) {
      close();
    }
  }

  private void endingIfThrown(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("{}: the subscription to hints ends, as one could not be told", redis.describe(), e);
      close();
    }
  }

  /**
   * Publishes to itself, as hints are published. An exception need not come again at the next
   * attempt.
   *
   * @return the refusal if the user may not
   */
  private Optional<BackendUnusableException> publish() {
    String answer =
        Reply.text(
            redis.run(
                Script.TRY_HINTS,
                CallKind.VERB,
                Namespace.FIRST,
                List.of(channel, TRIAL),
                Deadline.in(PUBLISH_WITHIN)));
    return answer.equals("sent")
        ? Optional.empty()
        : Optional.of(
            new BackendUnusableException(
                "The user lacks a permission at %s: it may not publish on the channel %s (%s). See what its ACL must allow in docs/backends/redis.md."
                    .formatted(redis.describe(), new String(channel, UTF_8), answer)));
  }

  @Override
  public void onMessage(byte[] from, byte[] message) {
    endingIfThrown(() -> read(message));
  }

  private void read(byte[] message) {
    if (Arrays.equals(message, TRIAL)) {
      asked.set(false);
      wasUp = true;
      listener.begun(this);
      return;
    }
    try {
      listener.hint(
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

  /** Asks whether it is alive, or finds that it has not answered; never waits for an answer. */
  void check() {
    if (over.get()) {
      return;
    }
    if (!isMade) {
      if (subscription.isUnconfirmedFor(silence)) {
        listener.silent(this);
      }
    } else if (asked.compareAndSet(false, true)) {
      askedAtNanos = System.nanoTime();
      try {
        subscription.ping();
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
