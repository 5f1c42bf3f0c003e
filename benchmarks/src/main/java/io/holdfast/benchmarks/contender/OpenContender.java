package io.holdfast.benchmarks.contender;

/** A contender that is connected. Thread-safe. */
public interface OpenContender extends AutoCloseable {

  /** Returns what takes and gives back one lock, for use by one thread. */
  LockPair pair(String lock) throws Exception;

  /** Disconnects. */
  @Override
  void close() throws Exception;
}
