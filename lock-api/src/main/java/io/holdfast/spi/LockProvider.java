package io.holdfast.spi;

import java.util.List;
import java.util.Optional;

/**
 * Makes backends of one kind from a URI. Found by {@link java.util.ServiceLoader}; has a public
 * constructor without parameters.
 */
public interface LockProvider {

  /** Returns a short name for messages, such as {@code jdbc}. */
  String name();

  /** Returns the URIs it takes, as patterns for people: {@code jdbc:sqlite:FILE}. */
  List<String> uriForms();

  /** Returns whether the URI is meant for this provider, well-formed or not. */
  boolean accepts(String uri);

  /**
   * Connects to the store and makes sure that it can be used: it answers, is new enough, lets us
   * in, and has its tables, which are made where they are missing and that is allowed.
   *
   * @throws io.holdfast.BadRequestException if the URI is wrong
   * @throws io.holdfast.BackendUnusableException if the store answers but cannot be used as it is
   * @throws BackendFailure if the store does not answer within the deadline
   */
  LockBackend connect(String uri, BackendOptions options, Deadline deadline);

  /**
   * Returns the statements that make what the store of a URI needs, for somebody to run who may,
   * where the user of the URI may not. Empty if there is nothing to make. Connects to nothing.
   *
   * @throws io.holdfast.BadRequestException if the URI is wrong
   */
  default Optional<String> ddl(String uri) {
    return Optional.empty();
  }
}
