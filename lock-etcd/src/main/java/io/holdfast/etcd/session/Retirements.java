package io.holdfast.etcd.session;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.LeaseTimes;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.record.Retirement;
import io.holdfast.record.Retirement.InUse;
import io.holdfast.record.Retirement.LiveSession;
import io.holdfast.record.Retirement.Nothing;
import io.holdfast.record.Retirement.Retired;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.NamespaceSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Retires the keys of an earlier version. Each opening and each grab of such a version compares the
 * revision that created the namespace's key. So that key is made again, with a version that no
 * client reads; only then are the sessions looked for that decide, since none can come any more and
 * none can be granted a lock. If one lives all the same, having come after a first look, the key
 * says the earlier version again, and its client goes on as it does after any change of the
 * namespace's key.
 *
 * <p>Making a key again takes two transactions. Between them a second key has the namespace, so
 * that no client makes another one, and the next one that comes to retire it goes on from there if
 * this one has died. Numbers go on from the same base.
 */
public final class Retirements {

  /** How many live sessions are told. */
  private static final int TOLD_MAX = 10;

  private final Keys keys;
  private final String where;
  private final EtcdCalls calls;

  public Retirements(Keys keys, String where, EtcdCalls calls) {
    this.keys = keys;
    this.where = where;
    this.calls = calls;
  }

  /** Retires them, in a verb. */
  public Retirement retire() {
    TxnResponse answer = calls.read(List.of(Ops.get(keys.namespace()), Ops.get(keys.retiring())));
    Optional<KeyValue> found = Ops.foundOne(answer, 0);
    Optional<KeyValue> kept = Ops.foundOne(answer, 1);
    if (found.isEmpty() && kept.isPresent()) {
      putBack(kept.get()); // An earlier retirement was interrupted.
      return retire();
    }
    if (found.isEmpty()) {
      return new Nothing();
    }
    KeyValue entry = found.get(); // Also if a client of the former version has made it meanwhile.
    StoredNamespace namespace = StoredNamespace.of(entry, where);
    int protocol = namespace.settings().protocol();
    int former = isRetiring(protocol) ? formerOf(protocol) : protocol;
    NamespaceSettings.requireOld(former, StoredNamespace.PROTOCOL, where);
    if (isRetiring(protocol)) {
      return finish(namespace, former, entry); // This was interrupted, too.
    }
    List<LiveSession> live = live();
    return live.isEmpty() ? keepOut(namespace, former, entry) : new InUse(former, live);
  }

  /** Returns the version of a namespace of a former version that is being retired. */
  private static int retiring(int former) {
    return 1 - former; // There was never a version below 1.
  }

  private static boolean isRetiring(int protocol) {
    return protocol < 1;
  }

  private static int formerOf(int retiring) {
    return 1 - retiring;
  }

  private Retirement keepOut(StoredNamespace namespace, int former, KeyValue entry) {
    replace(entry, namespace.encodeAs(retiring(former)));
    return finish(namespace, former, read(keys.namespace()));
  }

  private Retirement finish(StoredNamespace namespace, int former, KeyValue retiring) {
    if (StoredNamespace.of(retiring, where).settings().protocol() != retiring(former)) {
      throw changed();
    }
    List<LiveSession> live = live();
    if (!live.isEmpty()) {
      replace(retiring, namespace.encodeAs(former));
      return new InUse(former, live);
    }
    require(
        List.of(Ops.isAsRead(retiring)),
        List.of(
            Ops.delete(keys.requests()),
            Ops.delete(keys.marks()),
            Ops.delete(keys.sessions()),
            Ops.delete(keys.retiring()),
            Ops.put(keys.namespace(), namespace.encodeAs(StoredNamespace.PROTOCOL), 0)));
    return new Retired(former);
  }

  /** So that another revision has created it. No transaction deletes a key and writes it. */
  private void replace(KeyValue entry, ByteSequence value) {
    require(
        List.of(Ops.isAsRead(entry)),
        List.of(Ops.put(keys.retiring(), value, 0), Ops.delete(keys.namespace())));
    putBack(read(keys.retiring()));
  }

  private void putBack(KeyValue kept) {
    require(
        List.of(Ops.isAsRead(kept), Ops.isAbsent(keys.namespace())),
        List.of(Ops.put(keys.namespace(), kept.getValue(), 0), Ops.delete(keys.retiring())));
  }

  private void require(List<Cmp> when, List<Op> then) {
    if (!calls.txn(when, then, List.of()).isSucceeded()) {
      throw changed();
    }
  }

  private BackendFailure changed() {
    return new BackendFailure(
        Effect.UNKNOWN,
        "The namespace at %s was changed by another client in the same moment. Try again."
            .formatted(where),
        null);
  }

  private KeyValue read(ByteSequence key) {
    return Ops.foundOne(calls.read(List.of(Ops.get(key))), 0).orElseThrow(this::changed);
  }

  private List<LiveSession> live() {
    List<KeyValue> sessions = new ArrayList<>();
    for (KeyValue entry : calls.range(keys.sessions()).getKvs()) {
      if (sessions.size() < TOLD_MAX && keys.sessionAt(entry.getKey()).isPresent()) {
        sessions.add(entry);
      }
    }
    Set<Long> leases = new HashSet<>();
    sessions.forEach(entry -> leases.add(entry.getLease()));
    LeaseTimes times = calls.leaseTimes(leases);
    return sessions.stream().map(entry -> live(entry, times)).toList();
  }

  /** Its value is {@code SECONDS PROCESS}. */
  private LiveSession live(KeyValue entry, LeaseTimes times) {
    SessionId id = keys.sessionAt(entry.getKey()).orElseThrow();
    String value = entry.getValue().toString(StandardCharsets.UTF_8);
    return new LiveSession(
        id,
        new ProcessIdentity(value.substring(value.indexOf(' ') + 1)),
        times.atMost(entry.getLease()));
  }
}
