package io.holdfast;

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

  /** Returns a builder with every setting at its default. */
  public static ClientBuilder builder() {
    return new ClientBuilder();
  }
}
