package io.holdfast.zookeeper.connection;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;

/**
 * A ZooKeeper client with a single connection. When a connection breaks, the client library makes
 * another by itself, and may so take the session from another client that has resumed it. This
 * class prevents that: it disconnects for good when its connection breaks. Thread-safe.
 */
public final class SingleConnectionClient extends ZooKeeper {

  /** More than the requests that a session has under way when it moves. */
  private static final int APART = 1 << 10;

  private static final int FIRST_MAX = 1 << 15;
  private static final AtomicInteger NEXT_FIRST =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(FIRST_MAX));

  private final ConnectionWatcher watcher;

  /** How many calls wait for the attempt to connect. */
  private final AtomicInteger waiting = new AtomicInteger();

  private SingleConnectionClient(Target target, ConnectionWatcher watcher, ZKClientConfig config)
      throws IOException {
    super(
        target.servers(),
        target.timeoutMillis(),
        watcher,
        false,
        target.rotation().hostProvider(),
        config);
    this.watcher = watcher;
    skipSomeNumbers();
    watcher.begin(this);
  }

  private SingleConnectionClient(
      Target target, SessionIdentity identity, ConnectionWatcher watcher, ZKClientConfig config)
      throws IOException {
    super(
        target.servers(),
        target.timeoutMillis(),
        watcher,
        identity.session(),
        identity.password(),
        false,
        target.rotation().hostProvider(),
        config);
    this.watcher = watcher;
    skipSomeNumbers();
    watcher.begin(this);
  }

  /**
   * Lets this connection number its requests from some number on. A server tells whose change it
   * has heard of by the session and the number of the request alone: so it would answer a request
   * of this connection with the result of another, which had the same number over the session's
   * other connection, at any server. Of this process's connections, those made one after the other
   * begin far apart; those of other processes begin elsewhere, most likely.
   */
  private void skipSomeNumbers() {
    int first = Math.floorMod(NEXT_FIRST.getAndAdd(APART), FIRST_MAX);
    for (int skipped = 0; skipped < first; skipped++) {
      int unused = cnxn.getXid();
    }
  }

  /**
   * How to reach the servers, in which order, and for how long a session lasts that is not heard
   * of.
   */
  record Target(String servers, ServerRotation rotation, int timeoutMillis) {}

  /** Begins a new session. */
  static SingleConnectionClient openSession(Target target, ZKClientConfig config)
      throws IOException {
    return new SingleConnectionClient(target, new ConnectionWatcher(client -> {}), config);
  }

  /** Goes on with a session. Its server has first caught up with what was seen over another. */
  static SingleConnectionClient resumeSession(
      Target target, SessionIdentity identity, ZKClientConfig config) throws IOException {
    ConnectionWatcher watcher = new ConnectionWatcher(SingleConnectionClient::catchUp);
    return new SingleConnectionClient(target, identity, watcher, config);
  }

  /** Requests are answered in the order in which they are sent: so no call waits for this. */
  private void catchUp() {
    sync("/", (code, path, context) -> {}, null);
  }

  /** Completed when the attempt to connect has ended, with its result. */
  CompletableFuture<Connected> connected() {
    return watcher.connected;
  }

  /** A call begins to wait for the attempt to connect. */
  void beginWaiting() {
    waiting.incrementAndGet();
  }

  /**
   * A call no longer waits for the attempt to connect.
   *
   * @return whether none does
   */
  boolean endWaiting() {
    return waiting.decrementAndGet() == 0;
  }

  /** Gives the attempt to connect up, unless it has ended before. */
  void giveUp() {
    watcher.connected.complete(Connected.LEFT);
  }

  /** Gives the attempt to connect up when it has not ended by then. */
  void giveUpAfter(long nanos) {
    CompletableFuture<Connected> unused =
        watcher.connected.completeOnTimeout(Connected.LEFT, nanos, TimeUnit.NANOSECONDS);
  }

  /** The outcome of an attempt to connect. */
  enum Connected {
    /** The session lives. */
    YES,
    /** The servers say that the session is over. */
    SESSION_OVER,
    /** The servers refused the login. */
    REFUSED,
    /** It was given up or disconnected before. */
    LEFT
  }

  /** Completed when the connection is broken or was left. */
  CompletableFuture<Void> disconnected() {
    return watcher.disconnected;
  }

  /** Returns whether it is of no use any more. */
  boolean isDisconnected() {
    return watcher.disconnected.isDone();
  }

  SessionIdentity identity() {
    return new SessionIdentity(getSessionId(), getSessionPasswd());
  }

  /**
   * Ends the session: all its nodes are gone when that is answered.
   *
   * @return the code of the answer
   */
  CompletableFuture<Code> endSession() {
    CompletableFuture<Code> ended = new CompletableFuture<>();
    RequestHeader header = new RequestHeader();
    header.setType(OpCode.closeSession);
    VoidCallback answered = (code, path, context) -> ended.complete(Code.get(code));
    cnxn.queuePacket(header, new ReplyHeader(), null, null, answered, null, null, null, null);
    return ended;
  }

  /** Breaks the connection; the session goes on without it. */
  void disconnect() {
    if (watcher.disconnected.complete(null)) {
      watcher.connected.complete(Connected.LEFT);
      // On a thread of its own: it waits for the library's.
      Threads.start("leave", cnxn::disconnect);
    }
  }

  /** Follows what the library tells of the connection, on its own thread. */
  private static final class ConnectionWatcher implements Watcher {
    private final CompletableFuture<Connected> connected = new CompletableFuture<>();
    private final CompletableFuture<Void> disconnected = new CompletableFuture<>();
    private final CompletableFuture<SingleConnectionClient> client = new CompletableFuture<>();
    private final Consumer<SingleConnectionClient> asksFirst;

    ConnectionWatcher(Consumer<SingleConnectionClient> asksFirst) {
      this.asksFirst = asksFirst;
    }

    void begin(SingleConnectionClient made) {
      client.complete(made);
      CompletableFuture<Void> unused =
          connected.thenAccept(
              outcome -> {
                if (outcome == Connected.LEFT) {
                  made.disconnect();
                }
              });
    }

    @Override
    public void process(WatchedEvent event) {
      switch (event.getState()) {
        case SyncConnected -> {
          // Not before: a request made while it tries one server after the other is dropped.
          CompletableFuture<Void> unused = client.thenAccept(asksFirst);
          connected.complete(Connected.YES);
        }
        case Expired -> connected.complete(Connected.SESSION_OVER);
        case AuthFailed -> connected.complete(Connected.REFUSED);
        case Disconnected -> {
          // Before, it tries one server after the other.
          if (connected.getNow(Connected.LEFT) == Connected.YES) {
            disconnect();
          }
        }
        default -> {}
      }
      if (event.getState() == Event.KeeperState.Expired
          || event.getState() == Event.KeeperState.AuthFailed) {
        disconnect();
      }
    }

    private void disconnect() {
      CompletableFuture<Void> unused = client.thenAccept(SingleConnectionClient::disconnect);
    }
  }
}
