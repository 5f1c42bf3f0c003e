package io.holdfast.benchmarks.jmh;

import io.holdfast.Grant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The cost for work under a lock of asking whether it still holds, while the session is SAFE. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeldBenchmark {

  /** A lock that is held. */
  @State(Scope.Benchmark)
  public static class Held {
    private Grant grant;

    /** Takes the lock. */
    @Setup
    public void hold(Client client) {
      grant = client.lock("held").acquire();
    }

    /** Gives it back. */
    @TearDown
    public void giveBack() {
      grant.release();
    }
  }

  /** Reads both clocks of the machine, which every answer takes: the floor of the other two. */
  @Benchmark
  public long bothClocks() {
    return System.nanoTime() ^ System.currentTimeMillis();
  }

  /** Asks. */
  @Benchmark
  public boolean isHeld(Held held) {
    return held.grant.isHeld();
  }

  /** Requires. */
  @Benchmark
  public void check(Held held) {
    held.grant.check();
  }
}
