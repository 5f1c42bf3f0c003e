package io.holdfast.memory.toy;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.Health;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.Sequencer;
import io.holdfast.SessionId;
import io.holdfast.SessionState;
import io.holdfast.election.Election;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.toy.ToyEntry.Kind;
import io.holdfast.memory.toy.ToyState.Place;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.tck.process.client.ClientSettings;
import io.holdfast.view.MultiGrant;
import io.holdfast.view.ReadWriteLockView;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A client of a toy store. */
final class ToyClient implements LockClient {

  private static final ProcessIdentity SOMEBODY = new ProcessIdentity("somebody");

  final ToyStore store;
  final Flaw flaw;
  private final ClientSettings settings;
  private final ScheduledExecutorService heart =
      Executors.newSingleThreadScheduledExecutor(ToyClient::daemon);
  private @Nullable ToySession session;
  private volatile boolean closed;

  ToyClient(ToyStore store, Flaw flaw, ClientSettings settings) {
    this.store = store;
    this.flaw = flaw;
    this.settings = settings;
    long pace = settings.ttl().toMillis() / 3;
    var unused = heart.scheduleAtFixedRate(this::beat, pace, pace, TimeUnit.MILLISECONDS);
  }

  void requireOpen() {
    if (closed) {
      throw new ClientClosedException("The client was closed");
    }
  }

  synchronized ToySession session() {
    requireOpen();
    if (session == null) {
      session = ToySession.open(store, settings.ttl());
      settings.listener().accept(new LockEvent.SessionOpened(id(session.id), settings.ttl()));
    }
    return session;
  }

  @Override
  public DistributedLock lock(String name) {
    return new ToyLock(this, new LockName(name));
  }

  @Override
  public ReadWriteLockView readWriteLock(String name, AcquireOptions options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MultiGrant lockAll(Collection<String> names, AcquireOptions options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<MultiGrant> tryLockAll(Collection<String> names, AcquireOptions options) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Election election(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Watch watch(String name, Duration interval, WatchListener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Watch watchPrefix(String prefix, Duration interval, WatchListener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<LockRecord> find(String name) {
    LockName lock = new LockName(name);
    List<Place> queue = store.read(state -> List.copyOf(state.queue(ToyLock.number(lock))));
    if (queue.isEmpty()) {
      return Optional.empty();
    }
    Place head = queue.get(0);
    Holder holder =
        new Holder(
            request(head),
            LockMode.EXCLUSIVE,
            SOMEBODY,
            "",
            Payload.EMPTY,
            Instant.EPOCH,
            liveness(head),
            Optional.empty());
    List<Waiter> waiters =
        queue.stream()
            .skip(1)
            .map(
                place -> new Waiter(request(place), LockMode.EXCLUSIVE, SOMEBODY, store.why(place)))
            .toList();
    return Optional.of(new LockRecord(lock, 1, Optional.of(holder), waiters));
  }

  /** Lists the one lock of this name. */
  @Override
  public boolean isCurrent(Sequencer sequencer) {
    return find(sequencer.name().value()).filter(lock -> lock.isHeldWith(sequencer)).isPresent();
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(String name, RequestId after, int limit) {
    return find(name).flatMap(record -> record.waitersBehind(after, limit));
  }

  @Override
  public Stream<LockRecord> list(String prefix) {
    return find(prefix).stream();
  }

  @Override
  public Revocation revoke(LockRecord seen, RevokeWhen when) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Revocation revoke(LockRecord seen, Holder holder, RevokeWhen when) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Revocation revokeIn(LockRecord seen, Holder holder, Duration notice) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Health health() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<SessionId> orphan() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Grant> resume(SessionId session) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String backend() {
    return "toy";
  }

  @Override
  public void close() {
    closed = true;
    heart.shutdownNow();
    ToySession last;
    synchronized (this) {
      last = session;
      session = null;
    }
    if (last != null) {
      last.lose(LossReason.RELEASED);
      if (flaw != Flaw.FORGETS_TO_RELEASE_ON_CLOSE) {
        store.step(Kind.END, 0, last.id, 0);
      }
    }
  }

  private void beat() {
    ToySession current;
    synchronized (this) {
      current = session;
    }
    if (current != null && !current.renew()) {
      settings
          .listener()
          .accept(
              new LockEvent.SessionStateChanged(
                  id(current.id), SessionState.SAFE, SessionState.EXPIRED, "it is over"));
      synchronized (this) {
        session = null;
      }
    }
    if (flaw != Flaw.NEVER_ENDS_SESSIONS) {
      long now = ToyStore.nowMillis();
      for (int lapsed : store.read(state -> state.lapsedInQueues(now))) {
        store.step(Kind.END_LAPSED, 0, lapsed, now);
      }
    }
  }

  private Liveness liveness(Place head) {
    if (head.stays()) {
      return Liveness.STAYING;
    }
    return store.read(state -> state.isOver(head.session())) ? Liveness.ENDED : Liveness.LIVE;
  }

  private static RequestId request(Place place) {
    return new RequestId(id(place.session()), place.request());
  }

  private static SessionId id(int session) {
    return new SessionId("%032x".formatted(session));
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "toy-heart");
    thread.setDaemon(true);
    return thread;
  }
}
