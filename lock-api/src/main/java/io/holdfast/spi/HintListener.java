package io.holdfast.spi;

import io.holdfast.LockName;
import java.util.function.Consumer;

/**
 * Receives the hints of a store for a waiting session: the name of a lock in which one of the
 * session's requests may have become the head, or may have got its first waiter. Called on any
 * thread; never blocks, never throws.
 */
@FunctionalInterface
public interface HintListener extends Consumer<LockName> {

  /**
   * Called when no more hints will come. Waiters poll from now on, and the engine asks for hints
   * again with the next heartbeat.
   */
  default void ended() {}
}
