package io.holdfast.etcd;

import io.etcd.jetcd.kv.TxnResponse;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The namespace's key: written once, by whoever comes first. */
final class Namespaces {

  private final Keys keys;
  private final String where;
  private volatile @Nullable Namespace lastSeen;

  Namespaces(Keys keys, String where) {
    this.keys = keys;
    this.where = where;
  }

  /**
   * Returns the namespace, made if there is none, after checking that a session of this TTL may be
   * opened in it.
   */
  Namespace openFor(Steps steps, NamespaceWish wish, Duration ttl) {
    Namespace namespace = read(steps).orElseGet(() -> make(steps, wish.orDefaultsFor(ttl)));
    wish.requireMetBy(namespace.settings(), where);
    namespace.settings().requireTtl(ttl);
    return namespace;
  }

  private Namespace make(Steps steps, NamespaceSettings settings) {
    TxnResponse answer =
        steps.txn(
            List.of(Ops.isAbsent(keys.namespace())),
            List.of(
                Ops.put(keys.namespace(), Namespace.encode(settings), 0),
                Ops.get(keys.namespace())),
            List.of(Ops.get(keys.namespace())));
    return seen(answer, 0).orElseThrow();
  }

  /** Reads it. */
  Optional<Namespace> read(Steps steps) {
    return seen(steps.read(List.of(Ops.get(keys.namespace()))), 0);
  }

  /** Returns it as last seen; reads it if it was not seen yet. */
  Optional<Namespace> find(Steps steps) {
    Namespace seen = lastSeen;
    return seen == null ? read(steps) : Optional.of(seen);
  }

  /** Takes note of what the so-manieth read of a transaction has found of it. */
  Optional<Namespace> seen(TxnResponse answer, int index) {
    Optional<Namespace> found =
        Ops.foundOne(answer, index).map(entry -> Namespace.of(entry, where));
    found.ifPresent(namespace -> namespace.settings().requireReadable(where));
    lastSeen = found.orElse(null);
    return found;
  }
}
