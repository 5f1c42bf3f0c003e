package io.holdfast.etcd;

import io.etcd.jetcd.Client;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;

/**
 * Locks over a jetcd client that an application already has. It is never closed here, and what it
 * is told of retries, deadlines and load balancing stays: a call of ours that is given up may still
 * reach the cluster later, which costs time but no lock.
 *
 * <pre>{@code
 * LockClient locks = Holdfast.builder().connect(EtcdLocks.backend(client));
 * }</pre>
 */
public final class EtcdLocks {

  private EtcdLocks() {}

  /** Makes a backend whose keys begin with {@code holdfast:}. Asks nobody. */
  public static LockBackend backend(Client client) {
    return backend(client, EtcdUri.PREFIX_DEFAULT, BackendOptions.DEFAULTS);
  }

  /**
   * Makes a backend. Asks nobody.
   *
   * @param prefix what its keys begin with, before a colon: 1 to 200 letters, digits and {@code
   *     ._/-} characters
   * @throws io.holdfast.BadRequestException if the prefix has others
   */
  public static LockBackend backend(Client client, String prefix, BackendOptions options) {
    return make(client, prefix, options);
  }

  static EtcdLockBackend make(Client client, String prefix, BackendOptions options) {
    EtcdLink link =
        new EtcdLink(
            Clients.borrowed(client), "etcd (client of the application)/" + prefix, () -> {});
    return new EtcdLockBackend(link, new Keys(prefix), options);
  }
}
