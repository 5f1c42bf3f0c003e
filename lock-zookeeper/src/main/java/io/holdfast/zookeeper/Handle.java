package io.holdfast.zookeeper;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;

/**
 * One connection of a ZooKeeper session. The client library would make another by itself when this
 * one breaks, and take the session away from whoever has gone on with it elsewhere; so a handle is
 * left for good when its connection breaks. Thread-safe.
 */
final class Handle extends ZooKeeper {

  private final Life life;

  private Handle(Dial dial, Life life, ZKClientConfig config) throws IOException {
    super(dial.servers(), dial.timeoutMillis(), life, config);
    this.life = life;
    life.begin(this);
  }

  private Handle(Dial dial, Identity identity, Life life, ZKClientConfig config)
      throws IOException {
    super(
        dial.servers(),
        dial.timeoutMillis(),
        life,
        identity.session(),
        identity.password(),
        false,
        new StaticHostProvider(new ConnectStringParser(dial.servers()).getServerAddresses()),
        config);
    this.life = life;
    life.begin(this);
  }

  /**
   * What a session is known by to the servers.
   *
   * @param password not a secret: servers compute it from the session's number
   */
  @SuppressWarnings("ArrayRecordComponent") // As the library has it.
  record Identity(long session, byte[] password) {}

  /** How to reach the servers, and for how long a session lasts that is not heard of. */
  record Dial(String servers, int timeoutMillis) {}

  /** Begins a new session. */
  static Handle begin(Dial dial, ZKClientConfig config) throws IOException {
    return new Handle(dial, new Life(), config);
  }

  /** Goes on with a session. */
  static Handle resume(Dial dial, Identity identity, ZKClientConfig config) throws IOException {
    return new Handle(dial, identity, new Life(), config);
  }

  /** Completed when it is connected, or will never be. */
  CompletableFuture<Connected> connected() {
    return life.connected;
  }

  /** What became of an attempt to connect. */
  enum Connected {
    /** The session lives. */
    YES,
    /** The servers say that the session is over. */
    SESSION_OVER,
    /** The servers do not let us in. */
    REFUSED,
    /** It was left before. */
    LEFT
  }

  /** Completed when the connection is broken or was left. */
  CompletableFuture<Void> gone() {
    return life.gone;
  }

  /** Returns whether it is of no use any more. */
  boolean isGone() {
    return life.gone.isDone();
  }

  Identity identity() {
    return new Identity(getSessionId(), getSessionPasswd());
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
  void leave() {
    if (life.gone.complete(null)) {
      life.connected.complete(Connected.LEFT);
      // On a thread of its own: it waits for the library's.
      Threads.start("leave", cnxn::disconnect);
    }
  }

  /** Follows what the library tells of the connection, on its own thread. */
  private static final class Life implements Watcher {
    private final CompletableFuture<Connected> connected = new CompletableFuture<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final CompletableFuture<Handle> handle = new CompletableFuture<>();

    void begin(Handle made) {
      handle.complete(made);
    }

    @Override
    public void process(WatchedEvent event) {
      switch (event.getState()) {
        case SyncConnected -> connected.complete(Connected.YES);
        case Expired -> connected.complete(Connected.SESSION_OVER);
        case AuthFailed -> connected.complete(Connected.REFUSED);
        case Disconnected -> {
          // Before, it tries one server after the other.
          if (connected.getNow(Connected.LEFT) == Connected.YES) {
            leave();
          }
        }
        default -> {}
      }
      if (event.getState() == Event.KeeperState.Expired
          || event.getState() == Event.KeeperState.AuthFailed) {
        leave();
      }
    }

    private void leave() {
      CompletableFuture<Void> unused = handle.thenAccept(Handle::leave);
    }
  }
}
