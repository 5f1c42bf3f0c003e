package io.holdfast.benchmarks.contender;

/** One lock, taken and given back by one thread. */
@FunctionalInterface
public interface LockPair {

  /** Takes the lock, which is free, and gives it back. Throws if it is not granted. */
  void takeAndGiveBack() throws Exception;
}
