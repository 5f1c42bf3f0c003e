package io.holdfast.tck.store;

import io.holdfast.LockClient;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import java.util.Optional;

/**
 * One namespace of a store. It is empty when the kit gets it; the kit uses it for one test and then
 * closes it.
 *
 * <p>If a test can do more to the store, the class also implements {@code …Control} interfaces of
 * this package. A rule that needs a missing control is not proved, and the report says so.
 */
public interface TckStore extends AutoCloseable {

  /**
   * Connects to the namespace as another client would, with connections of its own. The kit closes
   * each backend that this returns before it closes the store.
   */
  LockBackend connect(BackendOptions options);

  /** Returns the URI under which a child process reaches the same namespace, if there is one. */
  default Optional<String> uri() {
    return Optional.empty();
  }

  /** Returns whether it runs in the processes of its clients, and so uses their clocks. */
  default boolean isEmbedded() {
    return false;
  }

  /**
   * Returns by how much a session may outlive the requested TTL in a store that ends sessions by
   * itself: such a store may grant a longer TTL, and may look for lapsed sessions only now and
   * then.
   */
  default Duration endsLate() {
    return Duration.ZERO;
  }

  /** Returns how long a rule waits for an event of the store, even on the slowest machine. */
  default Duration maxWait() {
    return Duration.ofSeconds(20);
  }

  /** Returns how long a client waits for a lock that it must get, even on the slowest machine. */
  default Duration longWait() {
    return Duration.ofSeconds(30);
  }

  /**
   * Returns the backend that an engine uses in place of a connection to this store: the connection
   * itself, unless a test imitates a mistake of the engine.
   */
  default LockBackend asSeenByEngine(LockBackend connection) {
    return connection;
  }

  /**
   * Returns the client that rules use in place of an engine's client: this client itself, unless a
   * test imitates a mistake of what stands on it.
   */
  default LockClient asSeenByApplication(LockClient client) {
    return client;
  }

  /** Returns the control of that kind, if this store has it. */
  default <T> Optional<T> control(Class<T> kind) {
    return kind.isInstance(this) ? Optional.of(kind.cast(this)) : Optional.empty();
  }

  /** Removes the namespace, and everything else that was made for it. */
  @Override
  void close() throws Exception;
}
