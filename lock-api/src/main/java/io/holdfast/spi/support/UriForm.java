package io.holdfast.spi.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.error.BadRequestException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The form of a store's URIs: {@code
 * SCHEME://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…][/PATH][?OPTION=VALUE[&OPTION=VALUE…]]}, where
 * all parts but the scheme, the hosts and the names of options may be percent-encoded. No message
 * shows text from the given URI, because it may be a part of a password with a special character.
 *
 * @param store the kind of store that the URIs name, for messages: {@code an etcd cluster}
 * @param example well-formed URIs, for messages
 * @param scheme in lower case
 * @param tlsScheme the scheme for connections with TLS, in lower case
 * @param port the port of a host without one
 * @param options the names of the options
 * @param tlsOptions the names of the additional options with {@code tlsScheme}
 */
public record UriForm(
    String store,
    String example,
    String scheme,
    String tlsScheme,
    int port,
    List<String> options,
    List<String> tlsOptions) {

  private static final int PORT_MAX = 65_535;

  /**
   * Compiled when a URI is taken apart: with every URI every adapter is asked whether it accepts
   * it.
   */
  private static final class Parts {
    static final Pattern FORM =
        Pattern.compile(
            "[^:]+://(?:(?<login>[^/?]*)@)?(?<hosts>[^@/?#]+)(?:/(?<path>[^@?#]*))?(?:\\?(?<options>.*))?");
    static final Pattern HOST =
        Pattern.compile("(?<name>[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::(?<port>[0-9]{1,5}))?");
  }

  /** Returns whether a URI is meant to be of this form, well-formed or not. */
  public boolean accepts(String uri) {
    String given = schemeOf(uri);
    return given.equals(scheme) || given.equals(tlsScheme);
  }

  /**
   * Takes a URI apart.
   *
   * @throws BadRequestException if it is not of this form
   */
  public StoreUri parse(String uri) {
    Matcher form = Parts.FORM.matcher(uri);
    if (!accepts(uri) || !form.matches()) {
      throw malformed("it is not of that form");
    }
    boolean tls = schemeOf(uri).equals(tlsScheme);
    return new StoreUri(
        schemeOf(uri),
        tls,
        group(form, "login").map(this::login),
        hosts(form.group("hosts")),
        decoded(group(form, "path").orElse("").replaceAll("/+$", "")),
        options(group(form, "options").orElse(""), tls));
  }

  /**
   * Checks that a URI has a user with a password, or neither.
   *
   * @throws BadRequestException if it has only one of them
   */
  public void requireWholeLogin(StoreUri uri) {
    if (uri.login().filter(login -> !login.isWhole()).isPresent()) {
      throw malformed("a user comes with a password, as in user:password@");
    }
  }

  /** Returns the error for a URI; {@code why} ends without a full stop. */
  public BadRequestException malformed(String why) {
    return new BadRequestException(
        "The URI does not name %s: %s. Give one such as %s".formatted(store, why, example));
  }

  private static String schemeOf(String uri) {
    return uri.substring(0, Math.max(0, uri.indexOf(':'))).toLowerCase(Locale.ROOT);
  }

  private static Optional<String> group(Matcher form, String name) {
    return Optional.ofNullable(form.group(name));
  }

  private StoreUri.Login login(String text) {
    int colon = text.indexOf(':');
    return colon < 0
        ? new StoreUri.Login(decoded(text), "")
        : new StoreUri.Login(decoded(text.substring(0, colon)), decoded(text.substring(colon + 1)));
  }

  private List<String> hosts(String text) {
    List<String> hosts = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      Matcher host = Parts.HOST.matcher(each);
      if (!host.matches()) {
        throw malformed("it has a host that is not HOST or HOST:PORT");
      }
      int given = group(host, "port").map(Integer::parseInt).orElse(port);
      if (given == 0 || given > PORT_MAX) {
        throw malformed("it has a port that is not one of 1 to " + PORT_MAX);
      }
      hosts.add(host.group("name") + ":" + given);
    }
    return List.copyOf(hosts);
  }

  private Map<String, String> options(String text, boolean tls) {
    Map<String, String> given = new HashMap<>();
    for (String option : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = option.indexOf('=');
      String name = option.substring(0, Math.max(0, equals));
      boolean onlyTls = tlsOptions.contains(name);
      if (!onlyTls && !options.contains(name)) {
        throw malformed("it has an option that is not NAME=VALUE with one of the names " + names());
      }
      if (onlyTls && !tls) {
        throw malformed("the option %s is for %s://".formatted(name, tlsScheme));
      }
      if (given.put(name, decoded(option.substring(equals + 1))) != null) {
        throw malformed("it gives the option %s twice".formatted(name));
      }
    }
    return Map.copyOf(given);
  }

  private String names() {
    return String.join(", ", Stream.concat(options.stream(), tlsOptions.stream()).toList());
  }

  private String decoded(String text) {
    try {
      // A plus sign is a plus sign: it means a space only in HTML forms.
      return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      throw malformed("it has a % that begins no encoded character");
    }
  }
}
