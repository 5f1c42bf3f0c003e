package io.holdfast.etcd;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.etcd.connection.ClientFactory;
import io.holdfast.etcd.connection.ClusterConnection;
import io.holdfast.etcd.connection.EtcdUri;
import io.holdfast.etcd.connection.MemberVersions;
import io.holdfast.etcd.connection.ReplaceableClient;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.session.Retirements;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.List;

/** Accepts {@code etcd://HOST:PORT,HOST:PORT/PREFIX}, and {@code etcds://…} for TLS. */
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

  @Override
  public Retirement retire(String uri, Deadline deadline) {
    return retire(uri, () -> {}, deadline);
  }

  static Retirement retire(String uri, Runnable beforeStep, Deadline deadline) {
    EtcdUri parsed = EtcdUri.parse(uri);
    Keys keys = new Keys(parsed.prefix());
    try (ClusterConnection cluster = cluster(parsed, beforeStep)) {
      return cluster.verb(
          deadline, calls -> new Retirements(keys, parsed.describe(), calls).retire());
    } catch (LinkageError e) {
      throw incompatible(e);
    }
  }

  private static ClusterConnection cluster(EtcdUri parsed, Runnable beforeStep) {
    return new ClusterConnection(
        ReplaceableClient.owned(() -> ClientFactory.make(parsed.cluster())),
        parsed.describe(),
        beforeStep);
  }

  static LockBackend connect(
      String uri, BackendOptions options, Runnable beforeStep, Deadline deadline) {
    EtcdUri parsed = EtcdUri.parse(uri);
    Keys keys = new Keys(parsed.prefix());
    ClusterConnection cluster = cluster(parsed, beforeStep);
    EtcdLockBackend backend = new EtcdLockBackend(cluster, keys, options);
    try {
      backend.opened(deadline);
      MemberVersions.check(cluster, parsed.cluster(), deadline);
      return backend;
    } catch (LinkageError e) {
      backend.close();
      throw incompatible(e);
    } catch (RuntimeException | Error e) {
      backend.close();
      throw e;
    }
  }

  /** For example, Spring Boot 3 pins Netty 4.1, and a newer jetcd needs 4.2. */
  private static BackendUnusableException incompatible(LinkageError e) {
    return new BackendUnusableException(
        "The versions of jetcd and Netty on the class path are incompatible (%s). Use jetcd-core 0.8.5 where Netty is 4.1, as in Spring Boot 3; or set the property netty.version of your build to 4.2.7.Final or newer."
            .formatted(e),
        e);
  }
}
