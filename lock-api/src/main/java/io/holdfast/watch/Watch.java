package io.holdfast.watch;

/**
 * Something that is watched: a lock, the locks of a prefix, or who leads in an election. Goes on,
 * also while the store is away, until it or its client is closed. Thread-safe.
 */
@FunctionalInterface
public interface Watch extends AutoCloseable {

  /**
   * Ends the watch: nothing more is asked of the store for it, and no further call of its listener
   * begins. Returns at once; a call that has begun may go on. Closing again has no effect.
   */
  @Override
  void close();
}
