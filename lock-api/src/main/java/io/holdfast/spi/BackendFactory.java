package io.holdfast.spi;

/**
 * Makes backends from an object that the application already has, such as a pool of connections.
 * The counterpart of {@link LockProvider}, which makes backends from URIs.
 */
@FunctionalInterface
public interface BackendFactory {

  /**
   * Makes a backend and checks that its store can be used. Closing the backend does not close the
   * object that it was made from.
   *
   * @throws io.holdfast.error.BadRequestException if the object does not lead to a store that can
   *     keep locks
   * @throws io.holdfast.error.BackendUnusableException if the store answers but cannot be used in
   *     its present state
   * @throws BackendFailure if the store does not answer within the deadline
   */
  LockBackend connect(BackendOptions options, Deadline deadline);
}
