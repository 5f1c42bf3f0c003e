package io.holdfast.benchmarks.contender;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;

/**
 * Holdfast, with its defaults, through the adapter that takes a URI.
 *
 * @param uri the store
 */
public record HoldfastContender(String uri) implements Contender {

  @Override
  public String name() {
    return "Holdfast";
  }

  @Override
  public Role role() {
    return Role.HOLDFAST;
  }

  @Override
  public String settings() {
    return "defaults: TTL 15 s, acquire() and release()";
  }

  @Override
  public OpenContender open(int threads) {
    LockClient client = Holdfast.connect(uri);
    return new OpenContender() {
      @Override
      public LockPair pair(String name) {
        DistributedLock lock = client.lock(name);
        return () -> lock.acquire().release();
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }
}
