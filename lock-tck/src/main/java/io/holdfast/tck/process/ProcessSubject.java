package io.holdfast.tck.process;

import io.holdfast.LockClient;
import io.holdfast.spi.Capabilities;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A store under test, as the rules about many clients see it. */
public interface ProcessSubject {

  /** Connects a client in this JVM. The trial closes it. */
  LockClient connect(ClientSettings settings);

  /** Returns how other JVMs of this machine reach the same store; empty if none can. */
  Optional<String> uri();

  /** Returns what the store claims of the order in which waiters are served. */
  Capabilities.Order order();

  /** Returns whether the store lives in its clients' processes, and so goes by their clocks. */
  default boolean isEmbedded() {
    return false;
  }

  /** Returns what makes clients in other JVMs of {@link #uri()}. */
  default Class<? extends ClientSource> clientSource() {
    return ClientSource.ByUri.class;
  }

  /** Returns the TTL of all sessions: trials wait for leases to end. */
  default Duration ttl() {
    return Duration.ofSeconds(2);
  }

  /**
   * Returns after what time without renewal a session has surely been ended by those whom it keeps
   * waiting: by default its TTL, the {@code maxClockStep} of a namespace with default settings, and
   * two heartbeats.
   */
  default Duration goneAfter() {
    return ttl().multipliedBy(5).dividedBy(3).plus(Duration.ofSeconds(1));
  }

  /**
   * Returns how long a trial waits for what must happen before it calls it a failure. Takes no time
   * where all is well, so it should be generous: a slow machine is no failure.
   */
  default Duration patience() {
    return Duration.ofMinutes(2);
  }

  /** Returns where each trial makes a directory for its files, which is kept when it fails. */
  default Path directory() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }
}
