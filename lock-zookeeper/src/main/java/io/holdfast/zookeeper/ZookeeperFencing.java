package io.holdfast.zookeeper;

import io.holdfast.Grant;
import io.holdfast.Sequencer;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.connection.SharedConnections;
import io.holdfast.zookeeper.connection.ZookeeperUri;
import io.holdfast.zookeeper.layout.Paths;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Lets ZooKeeper itself refuse a stale holder. {@link #isHeld} returns a check for an application's
 * own {@code multi}, which succeeds only as long as no other client can have the lock, or none
 * exclusively if the grant is shared. The check and the write are one atomic step.
 *
 * <pre>{@code
 * Op held = fencing.isHeld(grant.sequencer(), Duration.ofSeconds(2)); // once a grant
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
            new SessionTimes(ZookeeperUri.TICK_DEFAULT),
            Ids.OPEN_ACL_UNSAFE,
            () -> {});
    this.backend = new ZookeeperLockBackend(ensemble, new Paths(path), BackendOptions.DEFAULTS);
  }

  /**
   * Returns the check that succeeds as long as the number of the grant holds the lock in ZooKeeper,
   * in the mode of the sequencer. Asks ZooKeeper once; the check may then be used in any number of
   * transactions.
   *
   * <p>The number is that of all grants that a client makes of it: when it is passed on to the next
   * thread of the client, or kept by a cached lock, it still holds the lock. So the check refuses
   * other clients, and does not tell apart the threads of one.
   *
   * <p>That of an exclusive grant fails from the moment at which a {@linkplain Grant#downgrade
   * downgrade} reaches ZooKeeper, so a write that was sent before and arrives late does not disturb
   * those who share the lock then. Make another with the grant's new sequencer. It fails, too, once
   * the grant is revoked with time left to it, or its lock-delay begins: ZooKeeper cannot tell one
   * write to a node from another. As long as the number holds the lock another check may then be
   * made.
   *
   * <p>The lock may stay taken after a shared grant, because that is given back before its least
   * time is up or because its holder has died and left a lock-delay. Then the check succeeds until
   * the lock passes on: no request holds it exclusively meanwhile. For a grant whose number went
   * back to ZooKeeper already, or whose session is over, this method throws.
   *
   * @param holder the sequencer of the grant; if the client has a name prefix, the name needs it
   * @throws LockLostException if the number does not hold the lock any more, or not in that mode
   * @throws BackendUnreachableException if ZooKeeper does not answer within the time
   */
  public Op isHeld(Sequencer holder, Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new BadRequestException("The timeout must be positive: " + timeout);
    }
    return asked(holder, Deadline.in(timeout))
        .orElseThrow(
            () ->
                new LockLostException(
                    "The lock %s at %s is not held with the token %s (%s) any more."
                        .formatted(
                            holder.name(), backend.describe(), holder.token(), holder.mode()),
                    LossReason.SESSION_ENDED));
  }

  private Optional<Op> asked(Sequencer holder, Deadline deadline) {
    try {
      return backend.isHeld(holder.name(), holder.mode(), holder.token().number(), deadline);
    } catch (BackendFailure e) {
      throw e.toApplication("Whether the lock %s is held is not known".formatted(holder.name()));
    }
  }
}
