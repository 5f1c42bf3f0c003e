package io.holdfast.spi;

import io.holdfast.error.BadRequestException;
import io.holdfast.record.Retirement;
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
   * @throws io.holdfast.error.BadRequestException if the URI is wrong
   * @throws io.holdfast.error.BackendUnusableException if the store answers but cannot be used in
   *     its present state
   * @throws BackendFailure if the store does not answer within the deadline
   */
  LockBackend connect(String uri, BackendOptions options, Deadline deadline);

  /**
   * Returns the statements that create what the store of a URI needs, for an administrator to run
   * if the URI's user has no permission. Empty if the store needs nothing. Does not connect.
   *
   * @throws io.holdfast.error.BadRequestException if the URI is wrong
   */
  default Optional<String> ddl(String uri) {
    return Optional.empty();
  }

  /**
   * Removes what an older version of this adapter has stored where a URI leads, unless a session
   * lives there. For adapters whose layout has changed; {@link NamespaceSettings#requireOld} tells
   * what may be retired.
   *
   * <ul>
   *   <li>A session lives until it is over, or until its time has passed by the rules of {@link
   *       LockBackend#end}: one whose last renewal cannot be judged gets a whole TTL first.
   *   <li>The step that decides is the one that acts, or one from which on no session can be opened
   *       by a client of the older version. A client that opens one meanwhile either prevents the
   *       retirement or is refused.
   *   <li>If a session lives, nothing has changed for its client when this method returns.
   *   <li>The numbers of the next layout begin above all that the older one has given: where they
   *       may be ahead of the store's clock, a floor is kept. A restart guard that is running goes
   *       on.
   *   <li>After any step this process may die. The namespace is then one of the older version or
   *       one of the present version, and another call goes on from there.
   * </ul>
   *
   * @throws io.holdfast.error.BadRequestException if the namespace is of the present version, or
   *     the URI is wrong, or this adapter cannot retire
   * @throws io.holdfast.error.BackendUnusableException if the namespace is of a version that this
   *     adapter does not know, or the store cannot be used in its present state
   * @throws BackendFailure if the store does not answer within the deadline
   */
  default Retirement retire(String uri, Deadline deadline) {
    throw new BadRequestException(
        "The adapter %s cannot retire what an older version has stored. Stop all clients and remove it by the means of the store, or use another namespace."
            .formatted(name()));
  }
}
