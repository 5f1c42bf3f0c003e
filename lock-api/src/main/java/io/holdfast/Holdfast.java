package io.holdfast;

import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.Retirement;

/** The entry point: connects to the store that a URI names. */
public final class Holdfast {

  private Holdfast() {}

  /**
   * Connects with every setting at its default.
   *
   * @param uri names the store, such as {@code jdbc:sqlite:/var/lib/app/locks.db}; the adapters on
   *     the class path decide which URIs are accepted
   * @throws BadRequestException if no adapter on the class path accepts the URI, if several
   *     adapters accept it, or if the URI is malformed
   * @throws BackendUnreachableException if the store does not answer
   * @throws BackendUnusableException if it cannot be used as it is
   */
  public static LockClient connect(String uri) {
    return builder().connect(uri);
  }

  /**
   * Removes all that an older version of the library has stored, so that the present version can be
   * used in its place: it refuses a namespace whose stored layout it does not read. The store
   * decides, by its own clock: nothing is removed while a session lives there. A client of the
   * older version that opens one meanwhile either prevents the removal or is refused. Fencing
   * tokens go on rising, and the namespace's settings stay. If this method fails, it may have
   * removed a part; call it again.
   *
   * <p>For operators, after all clients of the older version have been stopped. Blocks for as long
   * as the store needs, at most half a minute.
   *
   * @param uri names the store, as for {@link #connect}
   * @throws BadRequestException if the namespace is of the present version, if no adapter on the
   *     class path accepts the URI or it is malformed, or if the adapter cannot do this
   * @throws BackendUnreachableException if the store does not answer
   * @throws BackendUnusableException if the store cannot be used as it is, or the namespace is of a
   *     newer version
   */
  public static Retirement retire(String uri) {
    return ClientBuilder.retire(uri);
  }

  /** Returns a builder with every setting at its default. */
  public static ClientBuilder builder() {
    return new ClientBuilder();
  }
}
