package io.holdfast.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Cmp;
import io.holdfast.Grant;
import io.holdfast.Sequencer;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.etcd.connection.EtcdUri;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Lets etcd itself reject a stale holder: compares for transactions of the application, which then
 * succeed only while the lock is held. No time passes between the check and the write.
 *
 * <pre>{@code
 * Cmp[] held = fencing.isHeld(grant.sequencer(), Duration.ofSeconds(2)); // once a grant
 * client.getKVClient().txn().If(held).Then(Op.put(key, value, PutOption.DEFAULT)).commit();
 * }</pre>
 *
 * <p>The transaction must go to the cluster that keeps the lock. Thread-safe.
 */
public final class EtcdFencing {

  private final Keys keys;
  private final EtcdLockBackend backend;

  /** Creates it for locks under the default prefix, with a client of their cluster. */
  public EtcdFencing(Client client) {
    this(client, EtcdUri.PREFIX_DEFAULT);
  }

  /** Creates it for locks under a prefix, with a client of their cluster. */
  public EtcdFencing(Client client, String prefix) {
    this.keys = new Keys(prefix);
    this.backend = EtcdLocks.make(client, prefix, keys, BackendOptions.DEFAULTS);
  }

  /**
   * Returns compares that are all true exactly while the number of the grant holds the lock in
   * etcd, in the mode of the sequencer. Reads from etcd once; the compares may then be used in any
   * number of transactions.
   *
   * <p>The number is that of all grants that a client makes of it: when it is passed on to the next
   * thread of the client, or kept by a cached lock, it still holds the lock. So these compares
   * refuse other clients, and do not tell apart the threads of one.
   *
   * <p>Those of an exclusive grant are not all true any more from the moment at which a {@linkplain
   * Grant#downgrade downgrade} reaches etcd. So a write that was sent before and arrives late does
   * not disturb those who share the lock then. Make others with the grant's new sequencer.
   *
   * <p>If the grant is given back before its least time is up, the compares are true until then: no
   * other request holds the lock meanwhile. Those of a grant with a lock-delay are not, from the
   * moment at which it is given back. For a grant whose number went back to etcd already this
   * method throws.
   *
   * @param holder the sequencer of the grant; if the client has a name prefix, the name needs it
   * @throws LockLostException if the number does not hold the lock any more, or not in that mode
   * @throws BackendUnreachableException if etcd does not answer within the time
   */
  public Cmp[] isHeld(Sequencer holder, Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new BadRequestException("The timeout must be positive: " + timeout);
    }
    return asked(holder, Deadline.in(timeout))
        .map(compares -> compares.toArray(new Cmp[0]))
        .orElseThrow(
            () ->
                new LockLostException(
                    "The lock %s at %s is not held with the token %s (%s) any more."
                        .formatted(
                            holder.name(), backend.describe(), holder.token(), holder.mode()),
                    LossReason.SESSION_ENDED));
  }

  private Optional<List<Cmp>> asked(Sequencer holder, Deadline deadline) {
    try {
      return backend.isHeld(holder.name(), holder.mode(), holder.token().number(), deadline);
    } catch (BackendFailure e) {
      throw e.toApplication("Whether the lock %s is held is not known".formatted(holder.name()));
    }
  }
}
