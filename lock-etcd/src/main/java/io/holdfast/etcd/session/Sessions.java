package io.holdfast.etcd.session;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.holdfast.SessionId;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.Seat;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.etcd.format.StoredSession;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.support.Batches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The verbs on sessions. A session is a lease and a key that names the session. All keys of the
 * session are attached to the lease, so etcd removes them in one step.
 */
public final class Sessions {

  /** By default a transaction may have 128 operations. */
  private static final int SEATS_PER_TXN = 100;

  private final Keys keys;
  private final Namespaces namespaces;
  private final NamespaceWish wish;
  private final String where;
  private final Consumer<SessionId> whenOver;

  /** Sessions that this client opened or read and that are not known to be over. */
  private final Map<SessionId, StoredSession> known = new ConcurrentHashMap<>();

  /**
   * Creates it.
   *
   * @param whenOver told of each session that is over
   */
  public Sessions(
      Keys keys,
      Namespaces namespaces,
      NamespaceWish wish,
      String where,
      Consumer<SessionId> whenOver) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.wish = wish;
    this.where = where;
    this.whenOver = whenOver;
  }

  public Opened open(EtcdCalls calls, SessionSpec spec) {
    StoredNamespace namespace = namespaces.openFor(calls, wish, spec.ttl());
    LeaseGrantResponse lease = calls.grantLease(wholeSeconds(spec.ttl()));
    // Only if the id is unused: else a late copy would bring an ended session back.
    TxnResponse made =
        calls.txn(
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
      calls.revokeLease(lease.getID());
      throw new BackendFailure(
          Effect.NONE,
          "The session %s was opened before, or the namespace at %s was just replaced."
              .formatted(spec.id(), where),
          null);
    }
    StoredSession ref = StoredSession.of(Ops.found(made, 0).get(0), cluster(made));
    known.put(spec.id(), ref);
    return new Opened(ref.ttl(), namespace.settings(), Optional.empty());
  }

  private static long wholeSeconds(Duration ttl) {
    return ttl.plusNanos(Duration.ofSeconds(1).minusNanos(1).toNanos()).toSeconds();
  }

  public Renewed renew(EtcdCalls calls, SessionId session) {
    Optional<StoredSession> ref = find(calls, session);
    if (ref.isEmpty()) {
      return new Renewed.Over();
    }
    Optional<LeaseKeepAliveResponse> alive =
        calls.keepAlive(ref.get().lease()).filter(answer -> answer.getTTL() > 0);
    // Older servers acknowledge leases that are over, and one that is behind does not know a lease
    // that lives. The key goes with the lease and is read linearizably, so the key decides.
    GetResponse answer = calls.range(keys.sessionWithNotices(session));
    Optional<KeyValue> entry = answer.getKvs().stream().findFirst();
    if (entry.isEmpty() || !ref.get().isStill(entry.get(), cluster(answer))) {
      return over(session);
    }
    if (alive.isEmpty()) {
      throw new BackendFailure(
          Effect.UNKNOWN,
          "%s does not know the lease of session %s yet, or leads no more."
              .formatted(where, session),
          null);
    }
    if (alive.get().getHeader().getRaftTerm() != answer.getHeader().getRaftTerm()) {
      // A leader that was just replaced may have renewed a lease that its successor has ended.
      throw new BackendFailure(
          Effect.UNKNOWN, "The leader at %s changed during a renewal.".formatted(where), null);
    }
    return new Renewed.Alive(
        Duration.ofSeconds(alive.get().getTTL()),
        Notices.of(answer.getKvs()).told(keys, calls),
        Optional.empty());
  }

  /**
   * Renews a session and returns the requests that are attached to its lease, themselves or by the
   * marks of their lock-delays.
   */
  public Optional<Resumed> resume(EtcdCalls calls, SessionId session) {
    if (!(renew(calls, session) instanceof Renewed.Alive alive)) {
      return Optional.empty();
    }
    Optional<StoredSession> ref = find(calls, session);
    Optional<StoredNamespace> namespace = namespaces.read(calls);
    if (ref.isEmpty() || namespace.isEmpty()) {
      return Optional.empty();
    }
    return LeaseKeys.of(calls.keysOn(ref.get().lease()), keys.session(session))
        .map(
            found ->
                new Resumed(alive.ttl(), namespace.get().settings(), requestsOf(calls, found)));
  }

  private List<RequestKey> requestsOf(EtcdCalls calls, LeaseKeys found) {
    Set<RequestKey> requests = new LinkedHashSet<>();
    List<ByteSequence> ofSession = new ArrayList<>();
    for (ByteSequence key : found.keys()) {
      Optional<Seat> seat =
          keys.isRequest(key) ? Optional.of(keys.seatAt(key)) : keys.seatMarked(key, Mark.ALIVE);
      if (seat.isPresent()) {
        seat.get()
            .request()
            .ifPresentOrElse(
                id -> requests.add(new RequestKey(seat.get().name(), id)),
                () -> ofSession.add(key));
      }
    }
    requests.addAll(requestsAt(calls, ofSession));
    return List.copyOf(requests);
  }

  /** Reads whose the seats are that the session's requests have one after the other. */
  private List<RequestKey> requestsAt(EtcdCalls calls, List<ByteSequence> seats) {
    List<RequestKey> requests = new ArrayList<>();
    for (List<ByteSequence> batch : Batches.of(seats, SEATS_PER_TXN)) {
      calls.readParts(
          batch,
          part -> part.stream().map(Ops::get).toList(),
          (part, answer) -> requests.addAll(requestsIn(part.size(), answer)));
    }
    return requests;
  }

  private List<RequestKey> requestsIn(int reads, TxnResponse answer) {
    return IntStream.range(0, reads)
        .mapToObj(read -> Ops.foundOne(answer, read))
        .flatMap(Optional::stream)
        .map(this::requestAt)
        .toList();
  }

  private RequestKey requestAt(KeyValue entry) {
    Seat seat = keys.seatAt(entry.getKey());
    return new RequestKey(seat.name(), new RequestId(seat.session(), StoredRequest.serial(entry)));
  }

  public Ended end(EtcdCalls calls, SessionId session, EndIf when) {
    if (when == EndIf.LAPSED) {
      // etcd itself ends sessions that have lapsed.
      TxnResponse answer = calls.read(List.of(Ops.keyOf(keys.session(session))));
      return Ops.found(answer, 0).isEmpty() ? Ended.OVER : Ended.ALIVE;
    }
    try {
      find(calls, session).ifPresent(ref -> calls.revokeLease(ref.lease()));
    } finally {
      // Whether or not that was answered: who ends a session uses it no more, and is not told when
      // it lapses.
      Renewed unused = over(session);
    }
    return Ended.OVER;
  }

  public TxnResponse acknowledge(EtcdCalls calls, RequestId request) {
    return calls.txn(List.of(), List.of(Ops.delete(keys.noticeWithTimer(request))), List.of());
  }

  /** Returns whether this client uses a session that is not known to be over. */
  public boolean isKnown(SessionId session) {
    return known.containsKey(session);
  }

  /** Returns a session unless it is over. A cached session may be over by now. */
  public Optional<StoredSession> find(EtcdCalls calls, SessionId session) {
    StoredSession cached = known.get(session);
    if (cached != null) {
      return Optional.of(cached);
    }
    TxnResponse answer = calls.read(List.of(Ops.get(keys.session(session))));
    Optional<StoredSession> found =
        Ops.foundOne(answer, 0)
            // Keys of a session without a lease would stay forever.
            .filter(entry -> entry.getLease() != 0)
            .map(entry -> StoredSession.of(entry, cluster(answer)));
    found.ifPresent(ref -> known.put(session, ref));
    return found;
  }

  /** Forgets a session that is over. */
  public Renewed over(SessionId session) {
    known.remove(session);
    whenOver.accept(session);
    return new Renewed.Over();
  }

  public static long cluster(Response answer) {
    return answer.getHeader().getClusterId();
  }
}
