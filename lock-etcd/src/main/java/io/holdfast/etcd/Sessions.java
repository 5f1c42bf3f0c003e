package io.holdfast.etcd;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Notice;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Resumed;
import io.holdfast.spi.SessionSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sessions: a lease each, and a key on it that says which. What belongs to a session hangs on its
 * lease, so that etcd takes it all away in one step.
 */
final class Sessions {

  private final Keys keys;
  private final Namespaces namespaces;
  private final NamespaceWish wish;
  private final String where;

  /** Those that this client opened or asked about, as far as they are not known to be over. */
  private final Map<SessionId, SessionRef> known = new ConcurrentHashMap<>();

  Sessions(Keys keys, Namespaces namespaces, NamespaceWish wish, String where) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.wish = wish;
    this.where = where;
  }

  Opened open(Steps steps, SessionSpec spec) {
    Namespace namespace = namespaces.openFor(steps, wish, spec.ttl());
    LeaseGrantResponse lease = steps.grantLease(wholeSeconds(spec.ttl()));
    // Only if nobody has ever had the id: else a late copy would bring an ended session back.
    TxnResponse made =
        steps.txn(
            List.of(
                Ops.isThere(keys.namespace(), namespace.revision()),
                Ops.isAbsent(keys.session(spec.id()))),
            List.of(
                Ops.put(
                    keys.session(spec.id()),
                    Keys.bytes(lease.getTTL() + " " + spec.process()),
                    lease.getID()),
                Ops.get(keys.session(spec.id()))),
            List.of());
    if (!made.isSucceeded()) {
      steps.revokeLease(lease.getID());
      throw new BackendFailure(
          Effect.NONE,
          "The session %s was opened before, or the namespace at %s was just made anew."
              .formatted(spec.id(), where),
          null);
    }
    SessionRef ref = SessionRef.of(Ops.found(made, 0).get(0), cluster(made));
    known.put(spec.id(), ref);
    return new Opened(ref.ttl(), namespace.settings(), Optional.empty());
  }

  private static long wholeSeconds(Duration ttl) {
    return ttl.plusNanos(Duration.ofSeconds(1).minusNanos(1).toNanos()).toSeconds();
  }

  Renewed renew(Steps steps, SessionId session) {
    Optional<SessionRef> ref = find(steps, session);
    if (ref.isEmpty()) {
      return new Renewed.Over();
    }
    Optional<LeaseKeepAliveResponse> alive = steps.keepAlive(ref.get().lease());
    if (alive.isEmpty() || alive.get().getTTL() <= 0) {
      return over(session);
    }
    // Older servers acknowledge leases that are revoked, so the key is asked for too, at the
    // quorum.
    GetResponse answer = steps.range(keys.sessionWithNotices(session));
    Optional<KeyValue> entry = answer.getKvs().stream().findFirst();
    if (entry.isEmpty() || !ref.get().isStill(entry.get(), cluster(answer))) {
      return over(session);
    }
    if (alive.get().getHeader().getRaftTerm() != answer.getHeader().getRaftTerm()) {
      // A leader that was just replaced may have renewed what its successor knows nothing of.
      throw new BackendFailure(
          Effect.UNKNOWN, "The leader at %s changed during a renewal.".formatted(where), null);
    }
    return new Renewed.Alive(
        Duration.ofSeconds(alive.get().getTTL()), notices(answer), Optional.empty());
  }

  private static List<Notice> notices(GetResponse answer) {
    return answer.getKvs().stream()
        .flatMap(entry -> Keys.noticeAt(entry).stream())
        .<Notice>map(Notice.Revoked::new)
        .toList();
  }

  /** Renews a session and tells what hangs on its lease. */
  Optional<Resumed> resume(Steps steps, SessionId session) {
    if (!(renew(steps, session) instanceof Renewed.Alive alive)) {
      return Optional.empty();
    }
    Optional<SessionRef> ref = find(steps, session);
    Optional<Namespace> namespace = namespaces.read(steps);
    if (ref.isEmpty() || namespace.isEmpty()) {
      return Optional.empty();
    }
    List<RequestKey> requests =
        steps.keysOn(ref.get().lease()).stream()
            .filter(keys::isPlace)
            .map(keys::requestAt)
            .toList();
    return Optional.of(new Resumed(alive.ttl(), namespace.get().settings(), requests));
  }

  Ended end(Steps steps, SessionId session, EndIf when) {
    if (when == EndIf.LAPSED) {
      // etcd itself ends what has lapsed.
      return steps.range(keys.sessionWithNotices(session)).getKvs().isEmpty()
          ? Ended.OVER
          : Ended.ALIVE;
    }
    find(steps, session).ifPresent(ref -> steps.revokeLease(ref.lease()));
    known.remove(session);
    return Ended.OVER;
  }

  TxnResponse acknowledge(Steps steps, RequestId request) {
    return steps.txn(List.of(), List.of(Ops.delete(keys.notice(request))), List.of());
  }

  /** Returns a session unless it is over; one that was over by now may still be returned. */
  Optional<SessionRef> find(Steps steps, SessionId session) {
    SessionRef cached = known.get(session);
    if (cached != null) {
      return Optional.of(cached);
    }
    TxnResponse answer = steps.read(List.of(Ops.get(keys.session(session))));
    Optional<SessionRef> found =
        Ops.foundOne(answer, 0)
            // What hung on no lease would stay for ever.
            .filter(entry -> entry.getLease() != 0)
            .map(entry -> SessionRef.of(entry, cluster(answer)));
    found.ifPresent(ref -> known.put(session, ref));
    return found;
  }

  /** It is over: nothing is remembered of it. */
  Renewed over(SessionId session) {
    known.remove(session);
    return new Renewed.Over();
  }

  static long cluster(Response answer) {
    return answer.getHeader().getClusterId();
  }
}
