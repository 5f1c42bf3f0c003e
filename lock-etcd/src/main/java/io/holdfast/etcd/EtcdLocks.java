package io.holdfast.etcd;

import io.etcd.jetcd.Client;
import io.holdfast.spi.BackendFactory;
import io.holdfast.spi.BackendOptions;

/**
 * Locks over a jetcd client that an application already has. It is never closed here, and what it
 * is told of retries, deadlines and load balancing stays: a call of ours that is given up may still
 * reach the cluster later, which costs time but no lock.
 *
 * <pre>{@code
 * LockClient locks = Holdfast.builder().connect(EtcdLocks.on(client));
 * }</pre>
 */
public final class EtcdLocks {

  private EtcdLocks() {}

  /** Keeps the locks behind the usual prefix of keys, {@code holdfast:}. */
  public static BackendFactory on(Client client) {
    return on(client, EtcdUri.PREFIX_DEFAULT);
  }

  /**
   * Keeps the locks behind a prefix.
   *
   * @param prefix what its keys begin with, before a colon: 1 to 200 letters, digits and {@code
   *     ._/-} characters
   * @throws io.holdfast.BadRequestException if the prefix has others
   */
  public static BackendFactory on(Client client, String prefix) {
    Keys keys = new Keys(prefix);
    return (options, deadline) -> make(client, prefix, keys, options).opened(deadline);
  }

  static EtcdLockBackend make(Client client, String prefix, Keys keys, BackendOptions options) {
    EtcdLink link =
        new EtcdLink(
            Clients.borrowed(client), "etcd (client of the application)/" + prefix, () -> {});
    return new EtcdLockBackend(link, keys, options);
  }
}
