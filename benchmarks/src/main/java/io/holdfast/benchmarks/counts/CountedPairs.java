package io.holdfast.benchmarks.counts;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.benchmarks.contender.AdapterContender;
import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.faults.Invocation;
import io.holdfast.tck.faults.Verb;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Pairs of a whole client, of which each call of a verb is counted: none reaches the store another
 * way. The first pair of a lock is left out, which opens the session.
 */
public final class CountedPairs implements Contender {

  private final String uri;
  private final AcquireOptions options;
  private final Map<Verb, Long> calls = new ConcurrentHashMap<>();
  private final AtomicLong pairs = new AtomicLong();
  private volatile boolean counts;

  /**
   * Connects to nothing yet.
   *
   * @param uri the store
   * @param options how locks are taken
   */
  public CountedPairs(String uri, AcquireOptions options) {
    this.uri = uri;
    this.options = options;
  }

  /** Returns how many pairs there were. */
  public long pairs() {
    return pairs.get();
  }

  /** Returns how often they called each verb. */
  public Map<Verb, Long> calls() {
    return Map.copyOf(calls);
  }

  @Override
  public String name() {
    return "Holdfast, " + options.keeping();
  }

  @Override
  public Role role() {
    return Role.HOLDFAST;
  }

  @Override
  public String settings() {
    return "its defaults, with each call of its adapter counted";
  }

  @Override
  public OpenContender open(int threads) {
    LockClient client = Holdfast.builder().connect(new Counted(AdapterContender.connect(uri)));
    return new OpenContender() {
      @Override
      public LockPair pair(String name) {
        DistributedLock lock = client.lock(name);
        lock.acquire(options).release();
        counts = true;
        return () -> {
          lock.acquire(options).release();
          pairs.incrementAndGet();
        };
      }

      @Override
      public void close() {
        counts = false;
        client.close();
      }
    };
  }

  private final class Counted extends InterceptedBackend {

    private Counted(LockBackend target) {
      super(target);
    }

    @Override
    protected Object intercept(Verb verb, Invocation call) {
      if (counts) {
        calls.merge(verb, 1L, Long::sum);
      }
      return super.intercept(verb, call);
    }
  }
}
