package io.holdfast.redis;

import io.holdfast.BadRequestException;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.StoreUri;
import io.holdfast.spi.UriForm;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
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

    private UriForm form() {
      return new UriForm(
          "a Redis server or cluster",
          "redis://host:6379/0, redis-sentinel://host,host/master or redis-cluster://host,host, and rediss… for TLS",
          "redis" + suffix,
          "rediss" + suffix,
          port,
          List.of("prefix", "waitReplicas", "restartGuard"),
          List.of("ca", "cert", "key"));
    }

    private static Optional<Layout> find(String uri) {
      return Arrays.stream(values()).filter(layout -> layout.form().accepts(uri)).findFirst();
    }

    private BadRequestException malformed(String why) {
      return form().malformed(why);
    }
  }

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
    return Layout.find(uri).isPresent();
  }

  /**
   * Reads a URI of which {@link #isOne} is true.
   *
   * @throws BadRequestException if it is not well-formed; never with a password in the message
   */
  static RedisUri of(String uri) {
    Layout layout = Layout.find(uri).orElseThrow();
    StoreUri parsed = layout.form().parse(uri);
    if (layout == Layout.SERVER && parsed.hosts().size() > 1) {
      throw layout.malformed("it has several hosts: use redis-sentinel:// or redis-cluster://");
    }
    Map<String, String> options = parsed.options();
    return new RedisUri(
        layout,
        parsed.tls() ? Optional.of(tls(layout, options)) : Optional.empty(),
        parsed.login().map(StoreUri.Login::user).filter(user -> !user.isEmpty()),
        parsed.login().map(StoreUri.Login::password).filter(password -> !password.isEmpty()),
        parsed.hosts().stream().map(RedisUri::host).toList(),
        layout == Layout.SENTINEL ? master(parsed.path()) : "",
        database(layout, parsed.path()),
        new RedisNames(options.getOrDefault("prefix", RedisNames.PREFIX_DEFAULT)),
        number(layout, "waitReplicas", options.getOrDefault("waitReplicas", "0")),
        guard(layout, options.getOrDefault("restartGuard", "on")));
  }

  private static HostAndPort host(String text) {
    return HostAndPort.from(text.replaceAll("[\\[\\]]", ""));
  }

  private static Tls tls(Layout layout, Map<String, String> options) {
    Tls tls =
        new Tls(
            file(layout, options, "ca"),
            file(layout, options, "cert"),
            file(layout, options, "key"));
    if (tls.certificate().isPresent() != tls.key().isPresent()) {
      throw layout.malformed("cert and key come together");
    }
    return tls;
  }

  private static Optional<Path> file(Layout layout, Map<String, String> options, String name) {
    try {
      return Optional.ofNullable(options.get(name)).map(Path::of);
    } catch (InvalidPathException e) {
      throw layout.malformed(name + " is no path of a file");
    }
  }

  private static RestartGuard guard(Layout layout, String value) {
    return switch (value) {
      case "on" -> RestartGuard.ON;
      case "off" -> RestartGuard.OFF;
      default -> throw layout.malformed("restartGuard is neither on nor off");
    };
  }

  private static String master(String path) {
    String master = path.split("/", -1)[0];
    if (master.isEmpty()) {
      throw Layout.SENTINEL.malformed("it does not say which master");
    }
    return master;
  }

  private static int database(Layout layout, String path) {
    String[] parts = path.split("/", -1);
    int at = layout == Layout.SENTINEL ? 1 : 0;
    if (parts.length > at + 1) {
      throw layout.malformed("its path is too long");
    }
    String database = parts.length > at ? parts[at] : "";
    if (layout == Layout.CLUSTER && !database.isEmpty()) {
      throw layout.malformed("it has a database, but a cluster has one only");
    }
    return database.isEmpty() ? 0 : number(layout, "the database", database);
  }

  private static int number(Layout layout, String what, String value) {
    if (!NUMBER.matcher(value).matches()) {
      throw layout.malformed(what + " is not a number");
    }
    return Integer.parseInt(value);
  }

  /** Returns how the server is called in messages. */
  String describe() {
    UriForm form = layout.form();
    StringBuilder text = new StringBuilder(tls.isPresent() ? form.tlsScheme() : form.scheme());
    text.append("://");
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
