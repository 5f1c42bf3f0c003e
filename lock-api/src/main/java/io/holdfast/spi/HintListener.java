package io.holdfast.spi;

import io.holdfast.LockName;
import java.util.function.Consumer;

/**
 * What a session is told by its store while it waits: in which lock one of its requests may have
 * become the head. Called on any thread; never blocks, never throws.
 */
@FunctionalInterface
public interface HintListener extends Consumer<LockName> {

  /**
   * No more hints come. Whoever waits polls from now on, and asks for hints again with the next
   * heartbeat.
   */
  default void ended() {}
}
