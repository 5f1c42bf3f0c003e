package io.holdfast.etcd.connection;

import io.etcd.jetcd.Maintenance;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.support.StoreUri;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of members whose version has an error by which two clients can hold a lock. Some versions
 * tell their own only to an administrator; nothing is said then, nor of a member that is away.
 */
public final class MemberVersions {

  private static final Logger LOG = LoggerFactory.getLogger(MemberVersions.class);

  /** A client that connects waits no longer for an answer that it can do without. */
  private static final Duration ASKED_FOR = Duration.ofSeconds(1);

  private MemberVersions() {}

  /** Asks the members of a cluster that a URI names. */
  public static void check(ClusterConnection cluster, StoreUri uri, Deadline deadline) {
    ask(cluster, uri, deadline).stream()
        .filter(EtcdVersion::revokesRenewedLeases)
        .forEach(version -> warn(cluster.name(), version));
  }

  /** Returns the versions that members have told in time. They are asked at the same time. */
  static Set<EtcdVersion> ask(ClusterConnection cluster, StoreUri uri, Deadline deadline) {
    Maintenance maintenance = cluster.client().current().getMaintenanceClient();
    List<CompletableFuture<StatusResponse>> asked =
        ClientFactory.members(uri).stream().map(maintenance::statusMember).toList();
    long end = System.nanoTime() + Math.min(ASKED_FOR.toNanos(), deadline.remaining().toNanos());
    return asked.stream()
        .flatMap(future -> version(future, end).stream())
        .collect(Collectors.toSet());
  }

  /** Returns the version of a member; empty if it has not told it in time. */
  private static Optional<EtcdVersion> version(
      CompletableFuture<StatusResponse> asked, long endNanos) {
    try {
      long left = Math.max(0, endNanos - System.nanoTime());
      return EtcdVersion.parse(asked.get(left, TimeUnit.NANOSECONDS).getVersion());
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("A member of etcd has not told its version", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private static void warn(String where, EtcdVersion version) {
    LOG.warn(
        "{} has a member of version {}. After a change of the leader it can end sessions that were renewed, and then a lock may have two holders until the next heartbeat. Use etcd 3.4.38, 3.5.23, 3.6.5 or newer, and at least 3.4.31 or 3.5.13",
        where,
        version);
  }
}
