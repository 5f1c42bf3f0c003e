package io.holdfast.zookeeper;

import io.holdfast.BadRequestException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Util;

/**
 * {@code zookeeper://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…][/PATH]}, or {@code zookeepers://…}
 * for TLS, then possibly with {@code
 * ?tickTime=MILLIS&trustStore=FILE&trustStorePassword=…&keyStore=FILE&keyStorePassword=…}.
 *
 * @param tls whether to encrypt
 * @param login who to log in as, {@code USER:PASSWORD}
 * @param members each as {@code HOST:PORT}
 * @param path the node below which everything lies
 * @param options what follows the question mark
 */
record ZookeeperUri(
    boolean tls,
    Optional<String> login,
    List<String> members,
    String path,
    Map<String, String> options) {

  static final String SCHEME = "zookeeper://";
  static final String TLS_SCHEME = "zookeepers://";

  /** Below which node everything lies unless the URI says otherwise. */
  static final String PATH_DEFAULT = "/holdfast";

  /** The tick of servers that were not told another. */
  static final Duration TICK_DEFAULT = Duration.ofSeconds(2);

  private static final String PORT_DEFAULT = "2181";
  private static final String TICK = "tickTime";
  private static final Set<String> TLS_OPTIONS =
      Set.of("trustStore", "trustStorePassword", "keyStore", "keyStorePassword");
  private static final Pattern FORM =
      Pattern.compile("zookeepers?://(?:([^@/?#]*)@)?([^@/?#]+)(/[^?#]*)?(?:\\?([^#]*))?");
  private static final Pattern MEMBER =
      Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?");
  private static final Pattern MILLIS = Pattern.compile("[1-9][0-9]{0,5}");

  static boolean isZookeeper(String uri) {
    String lower = uri.toLowerCase(Locale.ROOT);
    return lower.startsWith(SCHEME) || lower.startsWith(TLS_SCHEME);
  }

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it is not well-formed; the message does not show it, since there
   *     may be a password in it
   */
  static ZookeeperUri parse(String uri) {
    int scheme = uri.indexOf(':');
    Matcher form =
        FORM.matcher(uri.substring(0, scheme).toLowerCase(Locale.ROOT) + uri.substring(scheme));
    if (!form.matches()) {
      throw malformed("it is not of that form");
    }
    List<String> members = new ArrayList<>();
    for (String text : form.group(2).split(",", -1)) {
      Matcher member = MEMBER.matcher(text);
      if (!member.matches()) {
        throw malformed("\"" + text + "\" is no host");
      }
      members.add(
          member.group(1) + ":" + Optional.ofNullable(member.group(2)).orElse(PORT_DEFAULT));
    }
    String path = Optional.ofNullable(form.group(3)).orElse("").replaceAll("/+$", "");
    boolean tls = form.group().startsWith(TLS_SCHEME);
    return new ZookeeperUri(
        tls,
        Optional.ofNullable(form.group(1)).map(ZookeeperUri::login),
        List.copyOf(members),
        path.isEmpty() ? PATH_DEFAULT : path,
        options(Optional.ofNullable(form.group(4)).orElse(""), tls));
  }

  private static String login(String text) {
    int colon = text.indexOf(':');
    if (colon <= 0) {
      throw malformed("a user comes with a password, as in user:password@");
    }
    return decoded(text);
  }

  private static Map<String, String> options(String text, boolean tls) {
    Map<String, String> options = new HashMap<>();
    for (String option : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      if (equals < 0 || !(name.equals(TICK) || TLS_OPTIONS.contains(name))) {
        throw malformed(
            "it knows the options tickTime, trustStore, trustStorePassword, keyStore and keyStorePassword, not \""
                + name
                + "\"");
      }
      if (!tls && TLS_OPTIONS.contains(name)) {
        throw malformed("the option " + name + " is for zookeepers://");
      }
      options.put(name, decoded(option.substring(equals + 1)));
    }
    if (options.containsKey(TICK) && !MILLIS.matcher(options.get(TICK)).matches()) {
      throw malformed("tickTime is a number of milliseconds");
    }
    return Map.copyOf(options);
  }

  private static String decoded(String text) {
    try {
      // A plus sign is one: only forms mean a space by it.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw malformed("there is a % in it that begins no encoded character");
    }
  }

  private static BadRequestException malformed(String why) {
    return new BadRequestException(
        "The URI does not name a ZooKeeper ensemble: %s. Give one such as zookeeper://host:2181,host:2181/path or zookeepers://user:password@host:2281/path?trustStore=FILE"
            .formatted(why));
  }

  /** Returns the servers as the client library wants them. */
  String servers() {
    return String.join(",", members);
  }

  /** Returns the tick of the servers. */
  Duration tick() {
    return Optional.ofNullable(options.get(TICK))
        .map(millis -> Duration.ofMillis(Long.parseLong(millis)))
        .orElse(TICK_DEFAULT);
  }

  /** Returns what the client library is told besides. */
  ZKClientConfig clientConfig() {
    ZKClientConfig config = new ZKClientConfig();
    if (tls) {
      config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
      config.setProperty(
          ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET,
          "org.apache.zookeeper.ClientCnxnSocketNetty");
      try (X509Util names = new ClientX509Util()) {
        set(config, names.getSslTruststoreLocationProperty(), "trustStore");
        set(config, names.getSslTruststorePasswdProperty(), "trustStorePassword");
        set(config, names.getSslKeystoreLocationProperty(), "keyStore");
        set(config, names.getSslKeystorePasswdProperty(), "keyStorePassword");
      }
    }
    return config;
  }

  private void set(ZKClientConfig config, String property, String option) {
    String value = options.get(option);
    if (value != null) {
      config.setProperty(property, value);
    }
  }

  /** Returns it without user, password and options. */
  String describe() {
    return (tls ? TLS_SCHEME : SCHEME) + servers() + path;
  }

  /** Without the password. */
  @Override
  public String toString() {
    return describe();
  }
}
