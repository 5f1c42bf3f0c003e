package io.holdfast.redis.kit;

import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.WipeControl;
import io.holdfast.testing.redis.RedisServer;

/** A namespace of a server that has been up for long, until it loses something. */
public abstract class LosingStore extends RedisTckStore implements FailOverControl, WipeControl {

  private final RedisServer server;

  private boolean lossy;

  public LosingStore(RedisServer server) {
    super(RedisNamespace.on(server));
    this.server = server;
  }

  public final LockBackend asOldAsItIs(LockBackend backend) {
    return lossy ? backend : namespace().ofOldServer(backend);
  }

  @Override
  public final void failOverLosing(Runnable lastWrites) {
    lossy = true;
    server.restoreWithout(lastWrites);
  }

  @Override
  public final void wipe() {
    namespace().wipe();
  }

  @Override
  public final void loseEverything() {
    lossy = true;
    server.restartEmpty();
  }

  @Override
  public void close() {
    super.close();
    if (lossy) {
      // Its restored configuration would lose writes with a restart.
      server.command("CONFIG", "SET", "appendfsync", "always");
    }
  }
}
