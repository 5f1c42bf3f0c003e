package io.holdfast.etcd;

import io.holdfast.BadRequestException;
import io.holdfast.spi.StoreUri;
import io.holdfast.spi.UriForm;
import java.util.List;

/**
 * {@code etcd://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…][/PREFIX]}, or {@code etcds://…} for TLS,
 * then possibly with {@code ?ca=FILE&cert=FILE&key=FILE&authority=NAME}.
 *
 * @param cluster what the URI says
 * @param prefix what keys begin with
 */
record EtcdUri(StoreUri cluster, String prefix) {

  static final UriForm FORM =
      new UriForm(
          "an etcd cluster",
          "etcd://host:2379,host:2379/prefix or etcds://user:password@host:2379/prefix?ca=FILE",
          "etcd",
          "etcds",
          2379,
          List.of(),
          List.of("ca", "cert", "key", "authority"));

  /** What keys begin with unless the URI says otherwise. */
  static final String PREFIX_DEFAULT = "holdfast";

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it is not well-formed
   */
  static EtcdUri parse(String uri) {
    StoreUri cluster = FORM.parse(uri);
    FORM.requireWholeLogin(cluster);
    if (cluster.options().containsKey("cert") != cluster.options().containsKey("key")) {
      throw FORM.malformed("cert and key come together");
    }
    return new EtcdUri(cluster, cluster.path().isEmpty() ? PREFIX_DEFAULT : cluster.path());
  }

  /** Returns it without user, password and options. */
  String describe() {
    return cluster.address() + "/" + prefix;
  }
}
