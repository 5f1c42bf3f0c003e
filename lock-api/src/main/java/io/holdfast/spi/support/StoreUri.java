package io.holdfast.spi.support;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A URI of a store, taken apart and decoded by {@link UriForm#parse}.
 *
 * @param scheme in lower case
 * @param tls whether the scheme is the one for TLS
 * @param login the user and password; empty if the URI has none
 * @param hosts at least one, each as {@code HOST:PORT}
 * @param path the text between the slash after the hosts and the options, without trailing slashes
 * @param options the options after the question mark
 */
public record StoreUri(
    String scheme,
    boolean tls,
    Optional<Login> login,
    List<String> hosts,
    String path,
    Map<String, String> options) {

  /**
   * The user and password of a URI.
   *
   * @param user possibly empty
   * @param password possibly empty
   */
  public record Login(String user, String password) {

    /** Returns whether both user and password are present. */
    public boolean isWhole() {
      return !user.isEmpty() && !password.isEmpty();
    }

    /** Returns the user without the password. */
    @Override
    public String toString() {
      return user;
    }
  }

  /** Returns the address for messages: {@code SCHEME://HOST:PORT,HOST:PORT}. */
  public String address() {
    return scheme + "://" + String.join(",", hosts);
  }

  /** Returns the URI without login and options, which may contain passwords. */
  @Override
  public String toString() {
    return address() + "/" + path;
  }
}
