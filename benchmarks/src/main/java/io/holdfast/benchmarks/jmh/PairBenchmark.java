package io.holdfast.benchmarks.jmh;

import io.holdfast.DistributedLock;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.ThreadParams;

/** A lock is taken and given back. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PairBenchmark {

  /** A lock that no other thread wants. */
  @State(Scope.Thread)
  public static class OwnLock {
    private DistributedLock lock;

    /** Names it after the thread. */
    @Setup
    public void name(Client client, ThreadParams thread) {
      lock = client.lock("own-" + thread.getThreadIndex());
    }
  }

  /** The lock that all threads want. */
  @State(Scope.Benchmark)
  public static class SharedLock {
    private DistributedLock lock;

    /** Names it. */
    @Setup
    public void name(Client client) {
      lock = client.lock("shared");
    }
  }

  /** One thread. */
  @Benchmark
  public FencingToken oneThread(OwnLock own) {
    return pair(own.lock);
  }

  /** Many threads, each with a lock of its own. */
  @Benchmark
  @Threads(16)
  public FencingToken sixteenThreads(OwnLock own) {
    return pair(own.lock);
  }

  /** Many threads of one client, all with the same lock. */
  @Benchmark
  @Threads(64)
  public FencingToken sixtyFourThreadsOneLock(SharedLock shared) {
    return pair(shared.lock);
  }

  private static FencingToken pair(DistributedLock lock) {
    try (Grant grant = lock.acquire()) {
      return grant.token();
    }
  }
}
