package io.holdfast.spi;

import java.util.List;
import java.util.Optional;

/**
 * Makes backends of one kind of store from URIs. Found by {@link java.util.ServiceLoader}; has a
 * public constructor without parameters.
 */
public interface LockProvider {

  /** Returns a short name for messages, such as {@code jdbc}. */
  String name();

  /** Returns the forms of the URIs that it accepts, for people: {@code jdbc:sqlite:FILE}. */
  List<String> uriForms();

  /** Returns whether the URI is meant for this provider, well-formed or not. */
  boolean accepts(String uri);

  /**
   * Connects to the store and checks that it can be used: it answers, is new enough, accepts the
   * login, and has its tables. Missing tables are created if the user has the permission.
   *
   * @throws io.holdfast.BadRequestException if the URI is wrong
   * @throws io.holdfast.BackendUnusableException if the store answers but cannot be used in its
   *     present state
   * @throws BackendFailure if the store does not answer within the deadline
   */
  LockBackend connect(String uri, BackendOptions options, Deadline deadline);

  /**
   * Returns the statements that create what the store of a URI needs, for an administrator to run
   * if the URI's user has no permission. Empty if the store needs nothing. Does not connect.
   *
   * @throws io.holdfast.BadRequestException if the URI is wrong
   */
  default Optional<String> ddl(String uri) {
    return Optional.empty();
  }
}
