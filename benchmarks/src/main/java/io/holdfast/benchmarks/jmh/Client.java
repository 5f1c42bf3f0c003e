package io.holdfast.benchmarks.jmh;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A client that all threads of a benchmark share, with Holdfast's defaults. */
@State(Scope.Benchmark)
public class Client {

  /** The store, which was started by the JVM that forks the benchmarks. */
  @Param("memory:benchmark")
  public String uri = "";

  private LockClient client;

  /** Connects. */
  @Setup
  public void connect() {
    client = Holdfast.connect(uri);
  }

  DistributedLock lock(String name) {
    return client.lock(name);
  }

  /** Closes, which gives back all that is held. */
  @TearDown
  public void close() {
    client.close();
  }
}
