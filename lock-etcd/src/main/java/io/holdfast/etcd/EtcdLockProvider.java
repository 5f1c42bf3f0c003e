package io.holdfast.etcd;

import io.holdfast.BackendUnusableException;
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
    } catch (LinkageError e) {
      backend.close();
      throw unfit(e);
    } catch (RuntimeException | Error e) {
      backend.close();
      throw e;
    }
  }

  /** Such as Spring Boot 3, which pins Netty 4.1, beside a jetcd that needs 4.2. */
  private static BackendUnusableException unfit(LinkageError e) {
    return new BackendUnusableException(
        "jetcd and the Netty on the class path do not fit together (%s). Take jetcd-core 0.8.5 where Netty is 4.1, as in Spring Boot 3; or set the property netty.version of your build to 4.2.7.Final or newer."
            .formatted(e),
        e);
  }
}
