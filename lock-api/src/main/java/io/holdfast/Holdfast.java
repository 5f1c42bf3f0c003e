package io.holdfast;

/** The way in: connects to the store that a URI names. */
public final class Holdfast {

  private Holdfast() {}

  /**
   * Connects with every setting at its default.
   *
   * @param uri names the store, such as {@code jdbc:sqlite:/var/lib/app/locks.db}; which URIs there
   *     are depends on the adapters on the class path
   * @throws BadRequestException if no adapter on the class path takes the URI, or several do, or it
   *     is malformed
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
