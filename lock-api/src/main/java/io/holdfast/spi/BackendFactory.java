package io.holdfast.spi;

/**
 * Makes backends of something that the application already has, such as a pool of connections. What
 * a {@link LockProvider} does for a URI.
 */
@FunctionalInterface
public interface BackendFactory {

  /**
   * Makes a backend and makes sure that its store can be used. Closing the backend leaves alone
   * what it was made of.
   *
   * @throws io.holdfast.BadRequestException if this cannot be a store of locks
   * @throws io.holdfast.BackendUnusableException if the store answers but cannot be used as it is
   * @throws BackendFailure if the store does not answer within the deadline
   */
  LockBackend connect(BackendOptions options, Deadline deadline);
}
