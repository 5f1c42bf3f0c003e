package io.holdfast.redis;

import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.server.RedisServer;
import io.holdfast.tck.store.FailOverControl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The kit on a Redis server that may lose what it has, each test under a prefix of its own. */
@Tag("server")
abstract class RedisServerTck extends HoldfastTck {

  static RedisServer server;

  @BeforeAll
  static void startServer() {
    server = RedisServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  /** A namespace of a server that has been up for long, until it loses something. */
  abstract static class LosingStore extends RedisTckStore implements FailOverControl {

    private boolean lossy;

    LosingStore() {
      super(RedisNamespace.on(server));
    }

    final LockBackend asOldAsItIs(LockBackend backend) {
      return lossy ? backend : namespace().ofOldServer(backend);
    }

    @Override
    public final void failOverLosing(Runnable lastWrites) {
      lossy = true;
      server.restoreWithout(lastWrites);
    }

    @Override
    public final void loseEverything() {
      lossy = true;
      server.restartEmpty();
    }
  }
}
