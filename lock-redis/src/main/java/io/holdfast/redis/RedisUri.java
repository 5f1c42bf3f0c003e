package io.holdfast.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.BadRequestException;
import io.holdfast.spi.BackendOptions.RestartGuard;
import java.net.URLDecoder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * Where the server is and how to use it, as a URI says.
 *
 * @param layout what stands at the hosts
 * @param tls how connections are encrypted, if they are
 * @param user who connects; the server's default user if empty
 * @param password its password
 * @param hosts one for a single server, else as many as are known
 * @param master what Sentinels call the server; empty otherwise
 * @param database the number of the database
 * @param names what the keys are called
 * @param waitReplicas how many replicas must have what is answered
 * @param restartGuard what the URI says of it
 */
record RedisUri(
    Layout layout,
    Optional<Tls> tls,
    Optional<String> user,
    Optional<String> password,
    List<HostAndPort> hosts,
    String master,
    int database,
    RedisNames names,
    int waitReplicas,
    RestartGuard restartGuard) {

  /** What stands at the hosts of a URI. */
  enum Layout {
    SERVER("", 6379),
    SENTINEL("-sentinel", 26379),
    CLUSTER("-cluster", 6379);

    private final String suffix;
    private final int port;

    Layout(String suffix, int port) {
      this.suffix = suffix;
      this.port = port;
    }
  }

  private static final Pattern FORM =
      Pattern.compile(
          "(?<scheme>rediss?)(?<layout>|-sentinel|-cluster)://(?:(?<who>[^/?]*)@)?(?<hosts>[^/?@]+)(?:/(?<path>[^?]*))?(?:\\?(?<query>.*))?",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern HOST =
      Pattern.compile("(?<host>\\[[0-9A-Fa-f:.]+\\]|[^:\\[\\]\\s]+)(?::(?<port>[0-9]{1,5}))?");

  private static final List<String> PARAMETERS =
      List.of("prefix", "waitReplicas", "restartGuard", "ca", "cert", "key");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");

  /** Says which URIs there are. */
  static List<String> forms() {
    return List.of(
        "redis://HOST[:PORT][/DATABASE]",
        "redis-sentinel://HOST,HOST,…/MASTER",
        "redis-cluster://HOST,HOST,…",
        "rediss…:// for TLS");
  }

  static boolean isOne(String uri) {
    String scheme = uri.substring(0, Math.max(0, uri.indexOf(':'))).toLowerCase(Locale.ROOT);
    return scheme.matches("rediss?(-sentinel|-cluster)?");
  }

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it is not well-formed; never with a password in the message
   */
  static RedisUri of(String uri) {
    Matcher form = FORM.matcher(uri);
    if (!form.matches()) {
      throw wrong("is not one of " + String.join(", ", forms()));
    }
    Layout layout = layout(form.group("layout"));
    boolean encrypted = form.group("scheme").equalsIgnoreCase("rediss");
    Map<String, String> parameters = parameters(form.group("query"));
    String path = decode(form.group("path"));
    List<HostAndPort> hosts = hosts(form.group("hosts"), layout);
    @Nullable String who = form.group("who");
    int colon = who == null ? -1 : who.indexOf(':');
    return new RedisUri(
        layout,
        tls(encrypted, parameters),
        who == null ? Optional.empty() : filled(decode(colon < 0 ? who : who.substring(0, colon))),
        who == null || colon < 0 ? Optional.empty() : filled(decode(who.substring(colon + 1))),
        hosts,
        layout == Layout.SENTINEL ? master(path) : "",
        database(layout, path),
        new RedisNames(parameters.getOrDefault("prefix", RedisNames.PREFIX_DEFAULT)),
        number("waitReplicas", parameters.getOrDefault("waitReplicas", "0")),
        guard(parameters.getOrDefault("restartGuard", "on")));
  }

  private static Map<String, String> parameters(@Nullable String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String each : query == null || query.isEmpty() ? new String[0] : query.split("&")) {
      int equals = Math.max(0, each.indexOf('='));
      String name = each.substring(0, equals);
      if (!PARAMETERS.contains(name)) {
        throw wrong("has an unknown parameter; known are " + String.join(", ", PARAMETERS));
      }
      parameters.put(name, decode(each.substring(equals + 1)));
    }
    return parameters;
  }

  private static Optional<Tls> tls(boolean encrypted, Map<String, String> parameters) {
    Tls tls = new Tls(file(parameters, "ca"), file(parameters, "cert"), file(parameters, "key"));
    if (!encrypted && !tls.equals(Tls.OF_JAVA)) {
      throw wrong("has a parameter ca, cert or key, which are for rediss://");
    }
    if (tls.certificate().isPresent() != tls.key().isPresent()) {
      throw wrong("has only one of the parameters cert and key");
    }
    return encrypted ? Optional.of(tls) : Optional.empty();
  }

  private static Optional<Path> file(Map<String, String> parameters, String name) {
    try {
      return Optional.ofNullable(parameters.get(name)).map(Path::of);
    } catch (InvalidPathException e) {
      throw wrong("has a " + name + " that is no path of a file");
    }
  }

  private static RestartGuard guard(String value) {
    return switch (value) {
      case "on" -> RestartGuard.ON;
      case "off" -> RestartGuard.OFF;
      default -> throw wrong("has a restartGuard that is neither on nor off");
    };
  }

  private static Layout layout(String suffix) {
    for (Layout layout : Layout.values()) {
      if (layout.suffix.equalsIgnoreCase(suffix)) {
        return layout;
      }
    }
    throw wrong("has an unknown scheme");
  }

  private static List<HostAndPort> hosts(String text, Layout layout) {
    List<HostAndPort> hosts = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      Matcher host = HOST.matcher(each);
      if (!host.matches()) {
        throw wrong("has a host that is not HOST or HOST:PORT");
      }
      @Nullable String port = host.group("port");
      hosts.add(
          new HostAndPort(
              host.group("host").replaceAll("[\\[\\]]", ""),
              port == null ? layout.port : Integer.parseInt(port)));
    }
    if (layout == Layout.SERVER && hosts.size() > 1) {
      throw wrong("names several hosts: use redis-sentinel:// or redis-cluster://");
    }
    return List.copyOf(hosts);
  }

  private static String master(String path) {
    String master = path.split("/", -1)[0];
    if (master.isEmpty()) {
      throw wrong("does not say which master: redis-sentinel://HOST,HOST/MASTER");
    }
    return master;
  }

  private static int database(Layout layout, String path) {
    String[] parts = path.split("/", -1);
    int at = layout == Layout.SENTINEL ? 1 : 0;
    if (parts.length > at + 1) {
      throw wrong("has a path that is too long");
    }
    String database = parts.length > at ? parts[at] : "";
    if (layout == Layout.CLUSTER && !database.isEmpty()) {
      throw wrong("names a database, but a cluster has one only");
    }
    return database.isEmpty() ? 0 : number("database", database);
  }

  private static int number(String what, String value) {
    if (!NUMBER.matcher(value).matches()) {
      throw wrong("has a " + what + " that is not a number");
    }
    return Integer.parseInt(value);
  }

  private static Optional<String> filled(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private static String decode(@Nullable String text) {
    try {
      // A plus is a plus here: this is no form of a web page.
      return text == null ? "" : URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      throw wrong("has a % that is not followed by two hexadecimal digits");
    }
  }

  private static BadRequestException wrong(String what) {
    return new BadRequestException("The URI of Redis " + what + ".");
  }

  /** Returns how the server is called in messages. */
  String describe() {
    StringBuilder text = new StringBuilder(tls.isPresent() ? "rediss" : "redis");
    text.append(layout.suffix).append("://");
    text.append(String.join(",", hosts.stream().map(HostAndPort::toString).toList()));
    if (!master.isEmpty()) {
      text.append('/').append(master);
    }
    if (database != 0) {
      text.append('/').append(database);
    }
    return text.toString();
  }
}
