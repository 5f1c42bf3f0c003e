package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.BinaryJedisPubSub;

/** The one thread that reads hints outlives whatever is thrown at it. */
class RedisHintsTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final byte[] CHANNEL = "hints".getBytes(UTF_8);

  /** What ends a subscription that is up. */
  private final BlockingQueue<Throwable> ends = new LinkedBlockingQueue<>();

  /** What a client that publishes to itself is answered. */
  private volatile String answer = "sent";

  /** What keeps a client from subscribing, and from publishing to itself. */
  private volatile Optional<RuntimeException> atSubscribing = Optional.empty();

  private volatile Optional<RuntimeException> atPublishing = Optional.empty();

  private final AtomicInteger subscriptions = new AtomicInteger();

  private final RedisHints hints = new RedisHints(new Subscribed(), CHANNEL, Thread::new, LONG);

  @AfterEach
  void close() {
    ends.add(new IllegalStateException("closed"));
    hints.close();
  }

  private static final class Heard implements HintListener {
    private final AtomicInteger ends = new AtomicInteger();

    @Override
    public void accept(LockName name) {}

    @Override
    public void ended() {
      ends.incrementAndGet();
      throw new StackOverflowError("in a listener (test)");
    }
  }

  private static void listen(RedisHints to, HintListener listener) {
    AutoCloseable unused = to.listen(SessionId.fresh(), listener, Deadline.in(LONG));
  }

  @Test
  void aSubscriptionThatDiesOfAnErrorIsReplaced() {
    for (int deaths = 0; deaths < 3; deaths++) {
      Heard heard = new Heard();
      listen(hints, heard);
      ends.add(new OutOfMemoryError("of the reader (test)"));
      await().atMost(LONG).until(() -> heard.ends.get() == 1);
    }
    listen(hints, new Heard());
  }

  @Test
  void aListenerThatFailsKeepsNoOtherFromBeingTold() {
    List<Heard> all = List.of(new Heard(), new Heard(), new Heard());
    all.forEach(heard -> listen(hints, heard));
    ends.add(new IllegalStateException("broken (test)"));
    await().atMost(LONG).until(() -> all.stream().allMatch(heard -> heard.ends.get() == 1));
  }

  @Test
  void whoListensWhenThereIsAThreadAgainIsHeard() {
    AtomicBoolean exhausted = new AtomicBoolean(true);
    RedisHints later =
        new RedisHints(
            new Subscribed(),
            CHANNEL,
            task ->
                new Thread(task) {
                  @Override
                  public synchronized void start() {
                    if (exhausted.getAndSet(false)) {
                      throw new OutOfMemoryError("unable to create native thread (test)");
                    }
                    super.start();
                  }
                },
            LONG);
    assertThatThrownBy(() -> listen(later, new Heard())).isInstanceOf(OutOfMemoryError.class);
    listen(later, new Heard());
    later.close();
  }

  /** Its thread does not try again and again, but when somebody asks again. */
  @Test
  void aRefusalIsToldToWhoeverListens() {
    answer = "NOPERM (test)";
    assertThatThrownBy(() -> listen(hints, new Heard()))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContainingAll("lacks a permission", "NOPERM (test)");
    assertThatThrownBy(() -> listen(hints, new Heard()))
        .isInstanceOf(BackendUnusableException.class);
    assertThat(subscriptions).hasValue(2);

    answer = "sent";
    listen(hints, new Heard());
  }

  /** As while a fail-over lasts: the address leads to a replica, or nobody can log in. */
  @Test
  void aStateThatPassesIsNoRefusal() {
    Optional<RuntimeException> passing =
        Optional.of(new BackendUnusableException("nowhere is a replica (test)"));
    atPublishing = passing;
    Heard heard = isAskedAgain();

    atSubscribing = passing; // Before the end, after which its thread subscribes again at once.
    ends.add(new IllegalStateException("broken (test)"));
    await().atMost(LONG).until(() -> heard.ends.get() == 1);
    Heard unused = isAskedAgain();
  }

  /** Returns who is told at last. */
  private Heard isAskedAgain() {
    int before = subscriptions.get();
    assertThatThrownBy(() -> hints.listen(SessionId.fresh(), new Heard(), Deadline.in(SHORT)))
        .isInstanceOf(BackendFailure.class);
    await().atMost(LONG).until(() -> subscriptions.get() > before + 1);

    atSubscribing = Optional.empty();
    atPublishing = Optional.empty();
    Heard heard = new Heard();
    listen(hints, heard);
    return heard;
  }

  /** A server whose subscriptions are up until something ends them. */
  private final class Subscribed implements RedisClient {

    private volatile @Nullable BinaryJedisPubSub subscribed;

    @Override
    public String describe() {
      return "nowhere";
    }

    @Override
    public @Nullable Object run(
        Script script, CallKind kind, int partition, List<byte[]> arguments, Deadline deadline) {
      if (atPublishing.isPresent()) {
        throw atPublishing.get();
      }
      if (answer.equals("sent")) {
        Objects.requireNonNull(subscribed).onMessage(CHANNEL, arguments.get(1));
      }
      return answer.getBytes(UTF_8);
    }

    @Override
    public boolean isSpread() {
      return false;
    }

    @Override
    public void leave(int partition) {}

    @Override
    public Subscription subscription(BinaryJedisPubSub reader, byte[] channel) {
      return new Subscription() {
        @Override
        public Optional<BackendUnusableException> run() {
          subscriptions.incrementAndGet();
          if (atSubscribing.isPresent()) {
            throw atSubscribing.get();
          }
          subscribed = reader;
          reader.onSubscribe(channel, 1);
          Throwable end;
          try {
            end = ends.take();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          if (end instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) end;
        }

        @Override
        public boolean made() {
          return true;
        }

        @Override
        public boolean isUnconfirmedFor(Duration time) {
          return false;
        }

        @Override
        public void ping() {}

        @Override
        public void close() {
          ends.add(new IllegalStateException("closed (test)"));
        }
      };
    }

    @Override
    public void close() {}
  }
}
