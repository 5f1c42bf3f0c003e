package io.holdfast.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A URI of a store, taken apart and decoded by {@link UriForm#parse}.
 *
 * @param scheme in lower case
 * @param tls whether it is the scheme for TLS
 * @param login who to log in as; empty if it does not say
 * @param hosts at least one, each as {@code HOST:PORT}
 * @param path what stands between the hosts' slash and the options, without slashes at its end
 * @param options what follows the question mark
 */
public record StoreUri(
    String scheme,
    boolean tls,
    Optional<Login> login,
    List<String> hosts,
    String path,
    Map<String, String> options) {

  /**
   * Who to log in as.
   *
   * @param user possibly empty
   * @param password possibly empty
   */
  public record Login(String user, String password) {

    /** Returns whether there is a user as well as a password. */
    public boolean isWhole() {
      return !user.isEmpty() && !password.isEmpty();
    }

    /** Without the password. */
    @Override
    public String toString() {
      return user;
    }
  }

  /** Returns where it leads, for messages: {@code SCHEME://HOST:PORT,HOST:PORT}. */
  public String address() {
    return scheme + "://" + String.join(",", hosts);
  }

  /** Without login and options, among which there may be passwords. */
  @Override
  public String toString() {
    return address() + "/" + path;
  }
}
