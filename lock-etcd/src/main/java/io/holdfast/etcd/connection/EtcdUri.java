package io.holdfast.etcd.connection;

import io.holdfast.error.BadRequestException;
import io.holdfast.spi.support.StoreUri;
import io.holdfast.spi.support.UriForm;
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
    return new EtcdUri(cluster, cluster.path().isEmpty() ? PREFIX_DEFAULT : cluster.path());
  }

  /** Returns the URI without user, password and options. */
  public String describe() {
    return cluster.address() + "/" + prefix;
  }
}
