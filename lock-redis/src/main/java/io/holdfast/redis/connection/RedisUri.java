package io.holdfast.redis.connection;

import io.holdfast.error.BadRequestException;
import io.holdfast.redis.script.KeyNames;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.support.StoreUri;
import io.holdfast.spi.support.UriForm;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;

/**
 * A parsed URI: where the server is and how to use it.
 *
 * @param layout the kind of servers at the hosts
 * @param tls the certificates of TLS; empty without TLS
 * @param user the user; if empty, the default user of the server
 * @param password the password of the user
 * @param hosts the only host of a single server, or some hosts of several
 * @param master the name of the server at the Sentinels; otherwise empty
 * @param database the number of the database
 * @param names the names of the keys
 * @param waitReplicas how many replicas must acknowledge an answer
 * @param restartGuard whether the restart guard is on
 */
public record RedisUri(
    Layout layout,
    Optional<Tls> tls,
    Optional<String> user,
    Optional<String> password,
    List<HostAndPort> hosts,
    String master,
    int database,
    KeyNames names,
    int waitReplicas,
    RestartGuard restartGuard) {

  /** The kind of servers at the hosts of a URI. */
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
      for (Layout layout : values()) {
        if (layout.form().accepts(uri)) {
          return Optional.of(layout);
        }
      }
      return Optional.empty();
    }

    private BadRequestException malformed(String why) {
      return form().malformed(why);
    }
  }

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");

  /** Returns the forms of URIs, for messages. */
  public static List<String> forms() {
    return List.of(
        "redis://HOST[:PORT][/DATABASE]",
        "redis-sentinel://HOST,HOST,…/MASTER",
        "redis-cluster://HOST,HOST,…",
        "rediss…:// for TLS");
  }

  public static boolean accepts(String uri) {
    return Layout.find(uri).isPresent();
  }

  /**
   * Reads a URI of which {@link #accepts} is true.
   *
   * @throws BadRequestException if it is not well-formed; never with a password in the message
   */
  public static RedisUri of(String uri) {
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
        new KeyNames(options.getOrDefault("prefix", KeyNames.PREFIX_DEFAULT)),
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
      throw layout.malformed("cert and key must be given together");
    }
    return tls;
  }

  private static Optional<Path> file(Layout layout, Map<String, String> options, String name) {
    try {
      return Optional.ofNullable(options.get(name)).map(Path::of);
    } catch (InvalidPathException e) {
      throw layout.malformed(name + " is not a path of a file");
    }
  }

  private static RestartGuard guard(Layout layout, String value) {
    return switch (value) {
      case "on" -> RestartGuard.ON;
      case "off" -> RestartGuard.OFF;
      default -> throw layout.malformed("restartGuard must be on or off");
    };
  }

  private static String master(String path) {
    String master = path.split("/", -1)[0];
    if (master.isEmpty()) {
      throw Layout.SENTINEL.malformed("it does not name the master");
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
      throw layout.malformed("it names a database, but a cluster has only one");
    }
    return database.isEmpty() ? 0 : number(layout, "the database", database);
  }

  private static int number(Layout layout, String what, String value) {
    if (!NUMBER.matcher(value).matches()) {
      throw layout.malformed(what + " is not a number");
    }
    return Integer.parseInt(value);
  }

  /** Returns the name of the server for messages. */
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
