package io.holdfast.tck.process;

import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.tck.process.client.ClientSettings;
import io.holdfast.tck.process.client.ClientSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A store under test, for the rules about many clients. */
public interface ProcessSubject {

  /** Connects a client in this JVM. The run closes it. */
  LockClient connect(ClientSettings settings);

  /** Returns how other JVMs of this machine reach the same store; empty if none can. */
  Optional<String> uri();

  /** Returns what the store claims of the order in which waiters are served. */
  Capabilities.Order order();

  /** Returns the modes in which the store claims that locks can be held. */
  default Set<LockMode> modes() {
    return Set.of(LockMode.EXCLUSIVE);
  }

  /** Returns the stays that the store claims to keep. */
  default Set<Stays> stays() {
    return Set.of();
  }

  /** Returns whether the store can tell what a session holds, so that it can be resumed. */
  default boolean isResumable() {
    return false;
  }

  /** Returns whether the store runs in the processes of its clients, and so uses their clocks. */
  default boolean isEmbedded() {
    return false;
  }

  /** Returns the class that connects clients in other JVMs to {@link #uri()}. */
  default Class<? extends ClientSource> clientSource() {
    return ClientSource.ByUri.class;
  }

  /** Returns the TTL of all sessions: runs wait for leases to end. */
  default Duration ttl() {
    return Duration.ofSeconds(2);
  }

  /**
   * Returns the time without renewal after which waiters have surely ended a session: by default
   * its TTL, the {@code maxClockStep} of a namespace with default settings, and two heartbeats.
   */
  default Duration goneAfter() {
    return ttl().multipliedBy(5).dividedBy(3).plus(Duration.ofSeconds(1));
  }

  /**
   * Returns how long a run waits for an event before it fails. A run without a fault does not wait
   * that long, so choose a generous time: a slow machine is no failure.
   */
  default Duration maxWait() {
    return Duration.ofMinutes(2);
  }

  /** Returns where each run makes a directory for its files, which is kept when it fails. */
  default Path directory() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }
}
