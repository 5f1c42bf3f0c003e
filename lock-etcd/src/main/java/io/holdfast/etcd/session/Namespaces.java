package io.holdfast.etcd.session;

import io.etcd.jetcd.kv.TxnResponse;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the key of the namespace, and writes it if there is none. It never changes afterwards. */
public final class Namespaces {

  private final Keys keys;
  private final String where;
  private volatile @Nullable StoredNamespace lastSeen;

  public Namespaces(Keys keys, String where) {
    this.keys = keys;
    this.where = where;
  }

  /**
   * Returns the namespace after checking that a session with this TTL may be opened in it. Creates
   * the namespace if there is none.
   */
  StoredNamespace openFor(EtcdCalls calls, NamespaceWish wish, Duration ttl) {
    TxnResponse answer = calls.read(List.of(Ops.get(keys.namespace())));
    StoredNamespace namespace =
        readFrom(answer, 0)
            .orElseGet(
                () -> make(calls, wish.orDefaultsFor(ttl), answer.getHeader().getRevision()));
    wish.requireMetBy(namespace.settings(), where);
    namespace.settings().requireTtl(ttl);
    return namespace;
  }

  private StoredNamespace make(EtcdCalls calls, NamespaceSettings settings, long revision) {
    TxnResponse answer =
        calls.txn(
            List.of(Ops.isAbsent(keys.namespace()), Ops.isAbsent(keys.retiring())),
            List.of(
                Ops.put(keys.namespace(), StoredNamespace.encode(settings, revision), 0),
                Ops.get(keys.namespace())),
            List.of(Ops.get(keys.namespace())));
    return readFrom(answer, 0).orElseThrow(this::retiring);
  }

  private BackendUnusableException retiring() {
    return new BackendUnusableException(
        "The locks at %s are being retired. If that was interrupted, run 'holdfast retire' again."
            .formatted(where));
  }

  /** Reads the namespace. */
  public Optional<StoredNamespace> read(EtcdCalls calls) {
    return readFrom(calls.read(List.of(Ops.get(keys.namespace()))), 0);
  }

  /** Returns the namespace as last read; reads it if it was not read yet. */
  public Optional<StoredNamespace> find(EtcdCalls calls) {
    StoredNamespace cached = lastSeen;
    return cached == null ? read(calls) : Optional.of(cached);
  }

  /** Returns and remembers the namespace found by the read with this index in a transaction. */
  public Optional<StoredNamespace> readFrom(TxnResponse answer, int index) {
    Optional<StoredNamespace> found =
        Ops.foundOne(answer, index).map(entry -> StoredNamespace.of(entry, where));
    found.ifPresent(
        namespace -> namespace.settings().requireReadable(where, StoredNamespace.PROTOCOL));
    lastSeen = found.orElse(null);
    return found;
  }
}
