package io.holdfast.benchmarks.contender;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;

/**
 * Holdfast, with its defaults but for what the URI says, through the adapter that takes a URI.
 *
 * @param uri the store
 * @param name its name as in tables
 * @param options how locks are taken
 */
public record HoldfastContender(String uri, String name, AcquireOptions options)
    implements Contender {

  /** As most use it. */
  public HoldfastContender(String uri) {
    this(uri, "Holdfast", AcquireOptions.forever());
  }

  @Override
  public Role role() {
    return Role.HOLDFAST;
  }

  @Override
  public String settings() {
    return PublicUri.settings(uri, "TTL 15 s, acquire() and release()");
  }

  @Override
  public OpenContender open(int threads) {
    LockClient client = Holdfast.connect(uri);
    return new OpenContender() {
      @Override
      public LockPair pair(String name) {
        // A contender would wait for a lock that another keeps, so they share no locks.
        DistributedLock lock = client.lock(options.keeping() + "-" + name);
        return () -> lock.acquire(options).release();
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }
}
