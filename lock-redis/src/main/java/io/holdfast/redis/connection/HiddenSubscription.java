package io.holdfast.redis.connection;

import io.holdfast.error.BackendUnusableException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * A subscription over a connection that the application's client does not show. It cannot be
 * broken, and that client uses it again as soon as the subscription is over. So nothing is sent
 * over it once the subscription is told to end: the answer would be read as that of another
 * request.
 */
final class HiddenSubscription implements RedisClient.Subscription {

  private static final Logger LOG = LoggerFactory.getLogger(HiddenSubscription.class);

  private enum State {
    NOT_MADE,
    MADE,
    OVER
  }

  private final String server;
  private final UnifiedJedis jedis;
  private final Runnable trial;
  private final BinaryJedisPubSub reader;
  private final byte[] channel;

  /**
   * Guards the state below, and the order of messages sent: they are short, and their answers come
   * later.
   */
  private final Object lock = new Object();

  private State state = State.NOT_MADE;

  /**
   * Makes one.
   *
   * @param trial uses the connection that is the next to be used, if the client has the usual kind
   *     of pool
   */
  HiddenSubscription(
      String server, UnifiedJedis jedis, Runnable trial, BinaryJedisPubSub reader, byte[] channel) {
    this.server = server;
    this.jedis = jedis;
    this.trial = trial;
    this.reader = reader;
    this.channel = channel;
  }

  @Override
  public Optional<BackendUnusableException> run() {
    // A connection that was forgotten while it was idle shows now, and not to a thread that
    // subscribes without limit.
    trial.run();
    if (isOver()) {
      return Optional.empty();
    }
    boolean broken = false;
    try {
      jedis.subscribe(reader, channel);
      return Optional.empty();
    } catch (JedisConnectionException e) {
      broken = true;
      throw e;
    } catch (JedisAccessControlException e) {
      return Optional.of(RedisErrors.lackOfPermission(server, e).orElseThrow(() -> e));
    } finally {
      end(broken);
    }
  }

  private boolean isOver() {
    synchronized (lock) {
      return state == State.OVER;
    }
  }

  private void end(boolean broken) {
    synchronized (lock) {
      state = State.OVER;
    }
    if (!broken && reader.isSubscribed()) {
      LOG.error(
          "{}: a connection is in its pool again that is still subscribed to hints, and gives wrong answers to its next borrower. Close this client, and make another",
          server);
    }
  }

  @Override
  public boolean made() {
    synchronized (lock) {
      if (state == State.OVER) {
        reader.unsubscribe();
        return false;
      }
      state = State.MADE;
      return true;
    }
  }

  /** The client may ask for it late: when it has a connection for that. */
  @Override
  public boolean isUnconfirmedFor(Duration time) {
    return false;
  }

  @Override
  public void ping() {
    synchronized (lock) {
      if (state == State.MADE) {
        reader.ping();
      }
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      boolean made = state == State.MADE;
      state = State.OVER;
      if (made) {
        reader.unsubscribe();
      }
    }
  }
}
