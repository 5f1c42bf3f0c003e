package io.holdfast.spi;

import java.util.List;

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
}
