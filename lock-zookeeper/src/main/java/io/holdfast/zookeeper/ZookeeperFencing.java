package io.holdfast.zookeeper;

import io.holdfast.FencingToken;
import io.holdfast.LockName;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.connection.SharedConnections;
import io.holdfast.zookeeper.connection.ZookeeperUri;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Lets ZooKeeper itself refuse a stale holder. {@link #isHeld} returns a check for an application's
 * own {@code multi}, which succeeds only as long as nobody else can have the lock. The check and
 * the write are one atomic step.
 *
 * <pre>{@code
 * Op held = fencing.isHeld(grant.name(), grant.token(), Duration.ofSeconds(2)); // once a grant
 * client.multi(List.of(held, Op.setData("/application/node", data, -1)));
 * }</pre>
 *
 * <p>The {@code multi} must go to the ensemble that stores the lock. Thread-safe.
 */
public final class ZookeeperFencing {

  private final ZookeeperLockBackend backend;

  /** Takes a client of the ensemble whose locks lie below {@code /holdfast}. */
  public ZookeeperFencing(ZooKeeper client) {
    this(client, ZookeeperUri.PATH_DEFAULT);
  }

  /** Takes a client of the ensemble whose locks lie below a path, and never closes it. */
  public ZookeeperFencing(ZooKeeper client, String path) {
    String name = "zookeeper (client of the application)" + path;
    Ensemble ensemble =
        new Ensemble(
            new SharedConnections(() -> client, name),
            name,
            ZookeeperUri.TICK_DEFAULT,
            Ids.OPEN_ACL_UNSAFE,
            () -> {});
    this.backend = new ZookeeperLockBackend(ensemble, new Paths(path), BackendOptions.DEFAULTS);
  }

  /**
   * Returns the check that succeeds as long as the grant is in force in ZooKeeper. Asks ZooKeeper
   * once; the check may then be used in any number of transactions.
   *
   * <p>If the lock stays taken after that, because the grant is given back before its least time is
   * up or because its holder has died and left a lock-delay, the check succeeds until the lock
   * passes on: nobody else holds it meanwhile. For a grant that was given back already, or whose
   * session is over, this method throws.
   *
   * @param name the lock, with the client's name prefix if it has one
   * @param token of the grant
   * @throws LockLostException if the grant is not in force any more
   * @throws BackendUnreachableException if ZooKeeper does not answer within the time
   */
  public Op isHeld(LockName name, FencingToken token, Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new BadRequestException("The timeout must be positive: " + timeout);
    }
    // No other request ever has a node of that name, which has session and serial in it. Its count
    // alone would not do: that begins anew when servers have removed the empty queue.
    return asked(name, token, Deadline.in(timeout))
        .map(holder -> Op.check(holder.path(), Pipeline.ANY_VERSION))
        .orElseThrow(
            () ->
                new LockLostException(
                    "The lock %s at %s is not held with the token %s any more."
                        .formatted(name, backend.describe(), token),
                    LossReason.SESSION_ENDED));
  }

  private Optional<RequestNode> asked(LockName name, FencingToken token, Deadline deadline) {
    try {
      return backend.holder(name, token.number(), deadline);
    } catch (BackendFailure e) {
      throw e.toApplication("Whether the lock %s is held is not known".formatted(name));
    }
  }
}
