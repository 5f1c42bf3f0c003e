package io.holdfast.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Cmp;
import io.holdfast.FencingToken;
import io.holdfast.LockName;
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
import java.util.Optional;

/**
 * Lets etcd itself reject a stale holder: a compare for transactions of the application, which then
 * succeed only while the lock is held. No time passes between the check and the write.
 *
 * <pre>{@code
 * Cmp held = fencing.isHeld(grant.name(), grant.token(), Duration.ofSeconds(2)); // once a grant
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
   * Returns a compare that is true exactly while the grant is in force in etcd. Reads from etcd
   * once; the compare may then be used in any number of transactions.
   *
   * <p>If the grant is given back before its least time is up, the compare is true until then:
   * nobody else holds the lock meanwhile. For a grant that was given back already this method
   * throws.
   *
   * @param name the lock, with the client's name prefix if it has one
   * @param token the token of the grant
   * @throws LockLostException if the grant is not in force any more
   * @throws BackendUnreachableException if etcd does not answer within the time
   */
  public Cmp isHeld(LockName name, FencingToken token, Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new BadRequestException("The timeout must be positive: " + timeout);
    }
    return asked(name, token, Deadline.in(timeout))
        .orElseThrow(
            () ->
                new LockLostException(
                    "The lock %s at %s is not held with the token %s any more."
                        .formatted(name, backend.describe(), token),
                    LossReason.SESSION_ENDED));
  }

  private Optional<Cmp> asked(LockName name, FencingToken token, Deadline deadline) {
    try {
      return backend.isHeld(name, token.number(), deadline);
    } catch (BackendFailure e) {
      throw e.toApplication("Whether the lock %s is held is not known".formatted(name));
    }
  }
}
