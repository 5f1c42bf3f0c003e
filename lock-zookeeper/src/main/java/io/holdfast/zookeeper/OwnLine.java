package io.holdfast.zookeeper;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.zookeeper.Handle.Connected;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * A line of our own: whoever needs it connects it. When it is silent while a call waits in vain, it
 * is dropped, so that the session moves to another connection.
 */
final class OwnLine implements Line {

  private static final long SILENT_AFTER_NANOS = Duration.ofMillis(500).toNanos();

  private final Dialer dialer;
  private final int timeoutMillis;
  private final boolean isForOneSession;
  private Handle.@Nullable Identity identity;
  private @Nullable CompletableFuture<Handle> current;
  private boolean closed;

  /** When the present connection was begun, or was last answered. */
  private volatile long goodNanos;

  private OwnLine(
      Dialer dialer,
      int timeoutMillis,
      boolean isForOneSession,
      Handle.@Nullable Identity identity) {
    this.dialer = dialer;
    this.timeoutMillis = timeoutMillis;
    this.isForOneSession = isForOneSession;
    this.identity = identity;
  }

  /** For calls in nobody's name: in a new session as often as need be. */
  static OwnLine ofNobody(Dialer dialer, Duration timeout) {
    return new OwnLine(dialer, millis(timeout), false, null);
  }

  /** For a new session. */
  static OwnLine ofNewSession(Dialer dialer, Duration timeout) {
    return new OwnLine(dialer, millis(timeout), true, null);
  }

  /** For a session that was begun elsewhere. */
  static OwnLine ofSession(Dialer dialer, Duration timeout, Handle.Identity identity) {
    return new OwnLine(dialer, millis(timeout), true, identity);
  }

  private static int millis(Duration timeout) {
    return (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
  }

  @Override
  public Handle connected(Deadline deadline) {
    Handle handle = await(handle(), deadline);
    long timeNanos = deadline.remaining().toNanos();
    Connected connected;
    try {
      connected = await(handle.connected(), deadline);
    } catch (BackendFailure failure) {
      silent(handle, timeNanos);
      throw failure;
    }
    switch (connected) {
      case YES -> remember(handle);
      case SESSION_OVER -> throw new SessionGone();
      case REFUSED -> throw ZookeeperErrors.refused(dialer.name());
      case LEFT -> throw failure("broke the connection off", null);
    }
    return handle;
  }

  private <T> T await(CompletableFuture<T> future, Deadline deadline) {
    try {
      return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw failure("could not be reached in time", e);
    } catch (ExecutionException e) {
      throw new BackendUnusableException(
          "No client for %s can be made: %s".formatted(dialer.name(), e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("was not reached: interrupted", e);
    }
  }

  private synchronized CompletableFuture<Handle> handle() {
    if (closed) {
      throw failure("is not reached any more: the backend is closed", null);
    }
    CompletableFuture<Handle> present = current;
    if (present == null || isGone(present)) {
      if (isForOneSession && identity == null && present != null) {
        // It may have begun a session, or not: there is no way back to it.
        throw new SessionGone();
      }
      present = dialer.dial(timeoutMillis, Optional.ofNullable(identity));
      current = present;
      goodNanos = System.nanoTime();
    }
    return present;
  }

  private static boolean isGone(CompletableFuture<Handle> made) {
    return made.isCompletedExceptionally() || (made.isDone() && made.join().isGone());
  }

  private synchronized void remember(Handle handle) {
    if (isForOneSession && identity == null) {
      identity = handle.identity();
    }
  }

  /** What has lost its connection answers as if the session were over. */
  @Override
  public boolean isExpired(ZooKeeper client) {
    return client instanceof Handle handle
        && (!handle.isGone()
            || handle.connected().getNow(Connected.LEFT) == Connected.SESSION_OVER);
  }

  @Override
  public boolean end(Deadline deadline) {
    Handle handle = connected(deadline);
    try {
      Code code = handle.endSession().get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
      if (code == Code.OK) {
        return true;
      }
      if (code == Code.SESSIONEXPIRED && isExpired(handle)) {
        throw new SessionGone();
      }
      throw ended(code.toString(), null);
    } catch (TimeoutException | ExecutionException e) {
      throw ended("not answered in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ended("interrupted", e);
    } finally {
      handle.leave();
    }
  }

  private BackendFailure ended(String how, @Nullable Throwable cause) {
    return new BackendFailure(
        Effect.UNKNOWN,
        "Whether the session at %s was ended is not known: %s.".formatted(dialer.name(), how),
        cause);
  }

  @Override
  public Handle.Identity identity(ZooKeeper client) {
    return new Handle.Identity(client.getSessionId(), client.getSessionPasswd());
  }

  @Override
  public Optional<ZooKeeper> ifConnected() {
    return present()
        .filter(handle -> handle.connected().getNow(Connected.LEFT) == Connected.YES)
        .map(ZooKeeper.class::cast);
  }

  private synchronized Optional<Handle> present() {
    return Optional.ofNullable(current)
        .filter(made -> made.isDone() && !isGone(made))
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
    if (client instanceof Handle handle) {
      handle.leave();
    }
  }

  @Override
  public void leave() {
    CompletableFuture<Handle> last;
    synchronized (this) {
      closed = true;
      last = current;
    }
    if (last != null) {
      CompletableFuture<Void> unused = last.thenAccept(Handle::leave);
    }
  }

  private BackendFailure failure(String what, @Nullable Throwable cause) {
    return new BackendFailure(Effect.NONE, "%s %s.".formatted(dialer.name(), what), cause);
  }
}
