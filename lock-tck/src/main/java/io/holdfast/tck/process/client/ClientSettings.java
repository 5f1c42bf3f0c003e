package io.holdfast.tck.process.client;

import io.holdfast.ClientBuilder;
import io.holdfast.Holdfast;
import io.holdfast.LockEvent;
import io.holdfast.ProcessIdentity;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The settings of a client of a run.
 *
 * @param process who it says it is
 * @param ttl its default TTL
 * @param listener told of its events
 */
public record ClientSettings(ProcessIdentity process, Duration ttl, Consumer<LockEvent> listener) {

  /** Returns a builder with these settings. */
  public ClientBuilder builder() {
    return Holdfast.builder().processIdentity(process).defaultTtl(ttl).listener(listener);
  }
}
