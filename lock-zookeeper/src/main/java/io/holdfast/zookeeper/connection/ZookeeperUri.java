package io.holdfast.zookeeper.connection;

import io.holdfast.error.BadRequestException;
import io.holdfast.spi.support.StoreUri;
import io.holdfast.spi.support.UriForm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Util;
import org.apache.zookeeper.common.ZKConfig;

/**
 * {@code zookeeper://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…][/PATH]}, or {@code zookeepers://…}
 * for TLS, then possibly with {@code
 * ?tickTime=MILLIS&trustStore=FILE&trustStorePassword=…&keyStore=FILE&keyStorePassword=…}.
 *
 * @param ensemble what the URI says
 * @param path the node that holds all others
 */
public record ZookeeperUri(StoreUri ensemble, String path) {

  public static final UriForm FORM =
      new UriForm(
          "a ZooKeeper ensemble",
          "zookeeper://host:2181,host:2181/path or zookeepers://user:password@host:2281/path?trustStore=FILE",
          "zookeeper",
          "zookeepers",
          2181,
          List.of("tickTime"),
          List.of("trustStore", "trustStorePassword", "keyStore", "keyStorePassword"));

  /** The node that holds all others, unless the URI names another. */
  public static final String PATH_DEFAULT = "/holdfast";

  /** ZooKeeper's default tick. */
  public static final Duration TICK_DEFAULT = Duration.ofSeconds(2);

  /**
   * How long an answer may be over our own connections, if the process is not set to more: the
   * names of 5,400 queues, however long they are. The library's megabyte has those of 680.
   */
  private static final int ANSWER_BYTES_MAX = 8 << 20;

  private static final Pattern MILLIS = Pattern.compile("[1-9][0-9]{0,5}");

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it is not well-formed
   */
  public static ZookeeperUri parse(String uri) {
    StoreUri ensemble = FORM.parse(uri);
    FORM.requireWholeLogin(ensemble);
    if (!MILLIS.matcher(ensemble.options().getOrDefault("tickTime", "1")).matches()) {
      throw FORM.malformed("tickTime is a number of milliseconds");
    }
    return new ZookeeperUri(
        ensemble, ensemble.path().isEmpty() ? PATH_DEFAULT : "/" + ensemble.path());
  }

  /** Returns the servers in the form that the client library takes. */
  String servers() {
    return String.join(",", ensemble.hosts());
  }

  /** Returns the login, {@code USER:PASSWORD}. */
  public Optional<String> login() {
    return ensemble.login().map(login -> login.user() + ":" + login.password());
  }

  /** Returns the tick of the servers. */
  public Duration tick() {
    return Optional.ofNullable(ensemble.options().get("tickTime"))
        .map(millis -> Duration.ofMillis(Long.parseLong(millis)))
        .orElse(TICK_DEFAULT);
  }

  /** Returns the other settings of the client library, such as TLS. */
  ZKClientConfig clientConfig() {
    ZKClientConfig config =
        ensemble.tls() || PlainClientConfig.isOverruled()
            ? new ZKClientConfig()
            : new PlainClientConfig();
    int answerBytes = config.getInt(ZKConfig.JUTE_MAXBUFFER, ANSWER_BYTES_MAX);
    config.setProperty(
        ZKConfig.JUTE_MAXBUFFER, Integer.toString(Math.max(answerBytes, ANSWER_BYTES_MAX)));
    if (ensemble.tls()) {
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
    String value = ensemble.options().get(option);
    if (value != null) {
      config.setProperty(property, value);
    }
  }

  /** Returns it without user, password and options. */
  public String describe() {
    return ensemble.address() + path;
  }
}
