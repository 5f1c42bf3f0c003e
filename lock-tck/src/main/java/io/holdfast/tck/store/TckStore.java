package io.holdfast.tck.store;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import java.util.Optional;

/**
 * One namespace of a store, empty when it is given to the kit, which uses it for one test and
 * closes it.
 *
 * <p>What a test can do to the store besides is said by implementing the {@code …Control}
 * interfaces of this package; rules that need one which is missing are not proved, and the report
 * says so.
 */
public interface TckStore extends AutoCloseable {

  /**
   * Connects to the namespace as another client would, with connections of its own. The kit closes
   * what it is given here before it closes the store.
   */
  LockBackend connect(BackendOptions options);

  /** Returns the URI under which a child process reaches the same namespace, if there is one. */
  default Optional<String> uri() {
    return Optional.empty();
  }

  /** Returns whether it lives in its clients' processes, and so goes by their clocks. */
  default boolean isEmbedded() {
    return false;
  }

  /**
   * Returns by how much a session may outlive the TTL that was asked for before a store that ends
   * sessions by itself has done so: it may grant a longer one, and look now and then.
   */
  default Duration endsLate() {
    return Duration.ZERO;
  }

  /** Returns for how long to wait for what has to come by itself, on the slowest machine. */
  default Duration patience() {
    return Duration.ofSeconds(20);
  }

  /** Returns for how long a client waits for what it must get, on the slowest machine. */
  default Duration longWait() {
    return Duration.ofSeconds(30);
  }

  /**
   * Returns what an engine is given instead of a connection to this store: the connection itself,
   * unless a mistake is to be made that looks to the store like one of the engine.
   */
  default LockBackend asSeenByEngine(LockBackend connection) {
    return connection;
  }

  /** Returns the control of that kind, if this store has it. */
  default <T> Optional<T> control(Class<T> kind) {
    return kind.isInstance(this) ? Optional.of(kind.cast(this)) : Optional.empty();
  }

  /** Removes the namespace, and whatever else was made for it. */
  @Override
  void close() throws Exception;
}
