package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.HoldfastContender;
import io.holdfast.benchmarks.limit.MapLimit;
import java.util.List;

/** The store in this JVM's memory: what the engine costs by itself. */
final class MemoryBenchmarkStore implements BenchmarkStore {

  private MemoryBenchmarkStore() {}

  static BenchmarkStore start() {
    return new MemoryBenchmarkStore();
  }

  @Override
  public String uri() {
    return "memory:benchmark";
  }

  @Override
  public String earlierUri() {
    return "memory:earlier";
  }

  @Override
  public String description() {
    return "The memory of this JVM, which no other process shares";
  }

  @Override
  public List<Contender> contenders() {
    return List.of(new MapLimit(), new HoldfastContender(uri()));
  }

  @Override
  public String reference() {
    return "putting an entry into a map and removing it, which knows neither sessions nor waiters";
  }

  @Override
  public void close() {}
}
