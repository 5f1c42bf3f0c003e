package io.holdfast.etcd;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.List;

/**
 * Takes {@code etcd://HOST:PORT,HOST:PORT/PREFIX} and {@code etcds://…}: locks in an etcd cluster.
 */
public final class EtcdLockProvider implements LockProvider {

  /** Found by {@link java.util.ServiceLoader}. */
  public EtcdLockProvider() {}

  @Override
  public String name() {
    return "etcd";
  }

  @Override
  public List<String> uriForms() {
    return List.of("etcd://HOST:PORT,HOST:PORT/PREFIX", "etcds://HOST:PORT,HOST:PORT/PREFIX");
  }

  @Override
  public boolean accepts(String uri) {
    return EtcdUri.FORM.accepts(uri);
  }

  @Override
  public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
    return connect(uri, options, () -> {}, deadline);
  }

  static LockBackend connect(
      String uri, BackendOptions options, Runnable beforeStep, Deadline deadline) {
    EtcdUri parsed = EtcdUri.parse(uri);
    Keys keys = new Keys(parsed.prefix());
    EtcdLink link =
        new EtcdLink(
            Clients.owned(() -> EtcdClients.make(parsed.cluster())), parsed.describe(), beforeStep);
    EtcdLockBackend backend = new EtcdLockBackend(link, keys, options);
    try {
      return backend.opened(deadline);
    } catch (RuntimeException | Error e) {
      backend.close();
      throw e;
    }
  }
}
