package io.holdfast.etcd.connection;

import io.holdfast.error.BadRequestException;
import io.holdfast.spi.support.StoreUri;
import io.holdfast.spi.support.UriForm;
import java.net.URI;
import java.util.List;

/**
 * {@code etcd://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…][/PREFIX]}, or {@code etcds://…} for TLS,
 * then possibly with {@code ?ca=FILE&cert=FILE&key=FILE&authority=NAME}.
 *
 * @param cluster the parsed URI
 * @param prefix the beginning of all keys
 */
public record EtcdUri(StoreUri cluster, String prefix) {

  public static final UriForm FORM =
      new UriForm(
          "an etcd cluster",
          "etcd://host:2379,host:2379/prefix or etcds://user:password@host:2379/prefix?ca=FILE",
          "etcd",
          "etcds",
          2379,
          List.of(),
          List.of("ca", "cert", "key", "authority"));

  /** The prefix of keys if the URI has none. */
  public static final String PREFIX_DEFAULT = "holdfast";

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it is not well-formed
   */
  public static EtcdUri parse(String uri) {
    StoreUri cluster = FORM.parse(uri);
    FORM.requireWholeLogin(cluster);
    if (cluster.options().containsKey("cert") != cluster.options().containsKey("key")) {
      throw FORM.malformed("cert and key must be given together");
    }
    if (cluster.tls() && !cluster.options().containsKey("authority")) {
      cluster.hosts().forEach(EtcdUri::requireComparable);
    }
    return new EtcdUri(cluster, cluster.path().isEmpty() ? PREFIX_DEFAULT : cluster.path());
  }

  /** The TLS of gRPC takes such a name and its port together for what a certificate is to name. */
  private static void requireComparable(String host) {
    if (URI.create("https://" + host).getHost() == null) {
      throw FORM.malformed(
          "it has a host, as one with an underscore, that no certificate can name: say with authority=NAME which name it has");
    }
  }

  /** Returns the URI without user, password and options. */
  public String describe() {
    return cluster.address() + "/" + prefix;
  }
}
