package io.holdfast.zookeeper.connection;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.zookeeper.connection.SingleConnectionClient.Connected;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * A connection that this library makes itself, when a call first needs it. If the server stays
 * silent while a call waits, the connection is dropped, and the session moves to the next server.
 */
final class OwnConnection implements Connection {

  private static final long SILENT_AFTER_NANOS = Duration.ofMillis(500).toNanos();

  /** The first attempt to connect has such a part of a call's time. */
  private static final int FIRST_ATTEMPTS_IN_CALL = 4;

  /** The first attempt has at least so long, if the call has. */
  private static final long FIRST_ATTEMPT_MIN_NANOS = Duration.ofSeconds(1).toNanos();

  private final Connector connector;
  private final ServerRotation rotation;
  private final int timeoutMillis;
  private final boolean isForOneSession;
  private @Nullable SessionIdentity identity;
  private @Nullable CompletableFuture<SingleConnectionClient> current;

  /** Whether the attempt before the present one was given up. */
  private boolean isAfterUnanswered;

  private boolean closed;

  /** When the present connection was begun, or last received an answer. */
  private volatile long goodNanos;

  private OwnConnection(
      Connector connector,
      int timeoutMillis,
      boolean isForOneSession,
      @Nullable SessionIdentity identity) {
    this.connector = connector;
    this.rotation = connector.rotation();
    this.timeoutMillis = timeoutMillis;
    this.isForOneSession = isForOneSession;
    this.identity = identity;
  }

  /**
   * For calls that belong to no Holdfast session. It begins a new ZooKeeper session whenever it
   * must.
   */
  static OwnConnection forNoSession(Connector connector, Duration timeout) {
    return new OwnConnection(connector, millis(timeout), false, null);
  }

  /** For a new session. */
  static OwnConnection forNewSession(Connector connector, Duration timeout) {
    return new OwnConnection(connector, millis(timeout), true, null);
  }

  /** For a session that another client began. */
  static OwnConnection ofSession(Connector connector, Duration timeout, SessionIdentity identity) {
    return new OwnConnection(connector, millis(timeout), true, identity);
  }

  private static int millis(Duration timeout) {
    return (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
  }

  /**
   * {@inheritDoc}
   *
   * <p>An attempt that stays unanswered is given up for another: a server that follows knows one
   * attempt of each session only, and never answers the one that another client's made it forget.
   * The next attempt has the time of a whole call, as the servers may just be slow.
   */
  @Override
  public SingleConnectionClient connected(Deadline deadline) {
    long timeNanos = deadline.remaining().toNanos();
    while (true) {
      SingleConnectionClient handle = await(handle(), deadline);
      switch (outcome(handle, timeNanos, deadline)) {
        case YES -> {
          remember(handle);
          return handle;
        }
        case SESSION_OVER -> throw new SessionOverException();
        case REFUSED -> throw ZookeeperErrors.refused(connector.name());
        case LEFT -> {
          handle.disconnect();
          if (deadline.hasPassed()) {
            throw failure("could not be reached in time", null);
          }
        }
      }
    }
  }

  /**
   * Returns how an attempt to connect ends. The last call that waits for it gives it up, so that
   * the next call does not wait for what was lost on the way.
   */
  private Connected outcome(SingleConnectionClient handle, long timeNanos, Deadline deadline) {
    if (handle.connected().isDone()) {
      return handle.connected().join();
    }
    handle.beginWaiting();
    try {
      patienceNanos(timeNanos).ifPresent(handle::giveUpAfter);
      Connected outcome = await(handle.connected(), deadline);
      if (outcome == Connected.YES) {
        answered();
      }
      return outcome;
    } finally {
      if (handle.endWaiting() && System.nanoTime() - goodNanos >= SILENT_AFTER_NANOS) {
        handle.giveUp();
      }
    }
  }

  /**
   * Returns for how long a call with so much time waits for the present attempt before it makes
   * another; empty if it must not.
   */
  private synchronized OptionalLong patienceNanos(long timeNanos) {
    if (isForOneSession && identity == null) {
      // Without its identity a session that was begun cannot be resumed.
      return OptionalLong.empty();
    }
    long firstNanos =
        Math.min(timeNanos, Math.max(FIRST_ATTEMPT_MIN_NANOS, timeNanos / FIRST_ATTEMPTS_IN_CALL));
    return OptionalLong.of(
        Math.max(SILENT_AFTER_NANOS, isAfterUnanswered ? timeNanos : firstNanos));
  }

  private <T> T await(CompletableFuture<T> future, Deadline deadline) {
    try {
      return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw failure("could not be reached in time", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error) {
        throw failure("was not reached, as this process is in trouble: " + e.getCause(), e);
      }
      throw new BackendUnusableException(
          "No client for %s can be made: %s".formatted(connector.name(), e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("was not reached: interrupted", e);
    }
  }

  private synchronized CompletableFuture<SingleConnectionClient> handle() {
    if (closed) {
      throw failure("is not reached any more: the session is over, or the backend is closed", null);
    }
    CompletableFuture<SingleConnectionClient> present = current;
    if (present == null || isDisconnected(present)) {
      if (isForOneSession && identity == null && present != null) {
        // It is unknown whether a session began, and without its identity it cannot be resumed.
        throw new SessionOverException();
      }
      isAfterUnanswered = present != null && isUnanswered(present);
      present = connector.connect(rotation, timeoutMillis, Optional.ofNullable(identity));
      current = present;
      goodNanos = System.nanoTime();
    }
    return present;
  }

  private static boolean isDisconnected(CompletableFuture<SingleConnectionClient> made) {
    return made.isCompletedExceptionally() || (made.isDone() && made.join().isDisconnected());
  }

  private static boolean isUnanswered(CompletableFuture<SingleConnectionClient> made) {
    return !made.isCompletedExceptionally()
        && made.join().connected().getNow(Connected.LEFT) == Connected.LEFT;
  }

  private synchronized void remember(SingleConnectionClient handle) {
    if (isForOneSession && identity == null) {
      identity = handle.identity();
    }
  }

  /** A client that lost its connection reports an expired session, too. */
  @Override
  public boolean isExpired(ZooKeeper client) {
    return isForOneSession
        && client instanceof SingleConnectionClient handle
        && (!handle.isDisconnected()
            || handle.connected().getNow(Connected.LEFT) == Connected.SESSION_OVER);
  }

  @Override
  public boolean end(Deadline deadline) {
    SingleConnectionClient handle = connected(deadline);
    try {
      Code code = handle.endSession().get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
      if (code == Code.OK) {
        return true;
      }
      if (code == Code.SESSIONEXPIRED && isExpired(handle)) {
        throw new SessionOverException();
      }
      throw ended(code.toString(), null);
    } catch (TimeoutException | ExecutionException e) {
      throw ended("not answered in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ended("interrupted", e);
    } finally {
      handle.disconnect();
    }
  }

  private BackendFailure ended(String how, @Nullable Throwable cause) {
    return new BackendFailure(
        Effect.UNKNOWN,
        "Whether the session at %s was ended is not known: %s.".formatted(connector.name(), how),
        cause);
  }

  @Override
  public SessionIdentity identity(ZooKeeper client) {
    return new SessionIdentity(client.getSessionId(), client.getSessionPasswd());
  }

  @Override
  public Optional<ZooKeeper> ifConnected() {
    return present()
        .filter(handle -> handle.connected().getNow(Connected.LEFT) == Connected.YES)
        .map(ZooKeeper.class::cast);
  }

  private synchronized Optional<SingleConnectionClient> present() {
    return Optional.ofNullable(current)
        .filter(made -> made.isDone() && !isDisconnected(made))
        .map(CompletableFuture::join);
  }

  @Override
  public void abandon(Runnable then) {
    present()
        .ifPresentOrElse(
            handle -> {
              CompletableFuture<Void> unused = handle.endSession().thenRun(then);
            },
            then);
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public boolean reconnects() {
    return true;
  }

  @Override
  public boolean livesOn() {
    return false;
  }

  @Override
  public void answered() {
    goodNanos = System.nanoTime();
  }

  @Override
  public void silent(ZooKeeper client, long timeNanos) {
    if (System.nanoTime() - goodNanos >= Math.max(SILENT_AFTER_NANOS, timeNanos)) {
      lost(client);
    }
  }

  @Override
  public void lost(ZooKeeper client) {
    if (client instanceof SingleConnectionClient handle) {
      handle.disconnect();
    }
  }

  @Override
  public void disconnect() {
    CompletableFuture<SingleConnectionClient> last;
    synchronized (this) {
      closed = true;
      last = current;
    }
    if (last != null) {
      CompletableFuture<Void> unused = last.thenAccept(SingleConnectionClient::disconnect);
    }
  }

  private BackendFailure failure(String what, @Nullable Throwable cause) {
    return new BackendFailure(Effect.NONE, "%s %s.".formatted(connector.name(), what), cause);
  }
}
