package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.Seat;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.etcd.session.Namespaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the condition, for transactions of an application, that a number holds its lock. */
public final class HeldCondition {

  private final Keys keys;
  private final Namespaces namespaces;

  public HeldCondition(Keys keys, Namespaces namespaces) {
    this.keys = keys;
    this.namespaces = namespaces;
  }

  /**
   * Returns compares that are all true as long as the number holds the lock in that mode; empty if
   * it does not, its session is over, or it was given back. The base of numbers is read in the same
   * step: that of a namespace which is gone would lead to no grant of its successor.
   */
  public Optional<List<Cmp>> of(EtcdCalls calls, LockName name, LockMode mode, long number) {
    Keys.Range queue = keys.queue(name);
    // A request that holds exclusively is the first. Only then does the value tell something.
    Op holders = mode == LockMode.EXCLUSIVE ? Ops.first(queue) : Ops.keysOf(queue);
    TxnResponse answer =
        calls.read(List.of(holders, Ops.get(keys.marks(name)), Ops.get(keys.namespace())));
    return namespaces
        .readFrom(answer, 2)
        .map(namespace -> namespace.createRevision(number))
        .flatMap(revision -> held(answer, mode, revision));
  }

  private Optional<List<Cmp>> held(TxnResponse answer, LockMode mode, long createRevision) {
    Marks marks = Marks.of(keys, Ops.found(answer, 1));
    return Ops.found(answer, 0).stream()
        .filter(entry -> entry.getCreateRevision() == createRevision)
        .filter(entry -> marks.isItsOwners(keys.seatAt(entry.getKey())))
        .filter(entry -> mode == LockMode.SHARED || !StoredRequest.isShared(entry))
        .map(entry -> compares(entry, mode, marks))
        .findFirst();
  }

  private List<Cmp> compares(KeyValue entry, LockMode mode, Marks marks) {
    List<Cmp> compares = new ArrayList<>();
    // A key that is deleted and created again has another revision.
    compares.add(Ops.isThere(inForce(entry, marks), entry.getCreateRevision()));
    if (mode == LockMode.EXCLUSIVE) {
      // Of all that is written to it, revocations and stays for instance, only a downgrade writes
      // another value.
      compares.add(Ops.hasValueAsRead(entry));
    }
    return compares;
  }

  /** A grant with a lock-delay outlives its session, but its mark does not. */
  private ByteSequence inForce(KeyValue entry, Marks marks) {
    Seat seat = keys.seatAt(entry.getKey());
    return marks.hasDelayLeft(seat) ? keys.mark(seat, Mark.ALIVE) : entry.getKey();
  }
}
