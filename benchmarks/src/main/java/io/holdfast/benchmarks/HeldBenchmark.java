package io.holdfast.benchmarks;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What work under a lock pays for asking whether it still holds, while the session is SAFE. */
@State(Scope.Benchmark)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeldBenchmark {

  private LockClient client;
  private Grant grant;

  /** Takes the lock. */
  @Setup
  public void hold() {
    client = Stores.memory();
    grant = client.lock("held").acquire();
  }

  /** Gives it back. */
  @TearDown
  public void release() {
    client.close();
  }

  /** Reads both clocks of the machine, which every answer takes: the floor of the other two. */
  @Benchmark
  public long bothClocks() {
    return System.nanoTime() ^ System.currentTimeMillis();
  }

  /** Asks. */
  @Benchmark
  public boolean isHeld() {
    return grant.isHeld();
  }

  /** Requires. */
  @Benchmark
  public void check() {
    grant.check();
  }
}
