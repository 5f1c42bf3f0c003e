package io.holdfast.etcd;

import io.etcd.jetcd.Client;
import io.holdfast.etcd.connection.ClusterConnection;
import io.holdfast.etcd.connection.EtcdUri;
import io.holdfast.etcd.connection.ReplaceableClient;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.BackendFactory;
import io.holdfast.spi.BackendOptions;

/**
 * Keeps locks in etcd through a jetcd client that the application already has. Closing the lock
 * client does not close the jetcd client. Its settings of retries, deadlines and load balancing
 * stay in force: a call that was given up may still reach the cluster later. That costs time but is
 * safe.
 *
 * <pre>{@code
 * LockClient locks = Holdfast.builder().connect(EtcdLocks.on(client));
 * }</pre>
 */
public final class EtcdLocks {

  private EtcdLocks() {}

  /** Keeps locks under the default prefix of keys, {@code holdfast:}. */
  public static BackendFactory on(Client client) {
    return on(client, EtcdUri.PREFIX_DEFAULT);
  }

  /**
   * Keeps locks under a prefix of keys.
   *
   * @param prefix the beginning of all keys, before a colon: 1 to 200 letters, digits and {@code
   *     ._/-} characters
   * @throws io.holdfast.error.BadRequestException if the prefix is malformed
   */
  public static BackendFactory on(Client client, String prefix) {
    Keys keys = new Keys(prefix);
    return (options, deadline) -> make(client, prefix, keys, options).opened(deadline);
  }

  static EtcdLockBackend make(Client client, String prefix, Keys keys, BackendOptions options) {
    ClusterConnection cluster =
        new ClusterConnection(
            ReplaceableClient.borrowed(client),
            "etcd (client of the application)/" + prefix,
            () -> {});
    return new EtcdLockBackend(cluster, keys, options);
  }
}
