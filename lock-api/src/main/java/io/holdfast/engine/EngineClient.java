package io.holdfast.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.Health;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.SessionId;
import io.holdfast.election.Election;
import io.holdfast.election.Elections;
import io.holdfast.engine.gate.Gate;
import io.holdfast.engine.gate.Gates;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.engine.seam.Seam;
import io.holdfast.engine.seam.Seam.Timer;
import io.holdfast.engine.seam.Seam.Verb;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.engine.session.Farewell;
import io.holdfast.engine.session.LastCalls;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.session.Sessions;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.Turn;
import io.holdfast.engine.turn.WholeMillis;
import io.holdfast.engine.view.ModeViews;
import io.holdfast.engine.view.ThreadHolds;
import io.holdfast.engine.watch.Watches;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.HoldfastException;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Observed;
import io.holdfast.view.MultiGrant;
import io.holdfast.view.ReadWriteLockView;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.event.Level;

/** A client: the gates and sessions over one backend. */
public final class EngineClient implements LockClient {

  /** How long {@link #close()} and the exit hook wait for the store. */
  private static final Duration CLOSE_TIMEOUT = Core.CALL_TIMEOUT;

  private static final int PAGE = 100;

  /** The longest page of a queue. */
  private static final int WAITERS_MAX = 1_000;

  private final Core core;
  private final Sessions sessions;
  private final Gates gates;
  private final Elections elections =
      new Elections(
          this,
          grant -> ((HeldGrant) grant).inForce(),
          (grant, listener) -> ((HeldGrant) grant).onEnd(listener));
  private final Watches watches;
  private final Timer exitHook;

  /** The grants that its threads hold through views. */
  final ThreadHolds threadHolds = new ThreadHolds();

  private boolean closed;

  /**
   * The exit of the process waits for these; a thread that closes the client meanwhile waits, too.
   */
  private List<CompletableFuture<Boolean>> endingsOfExit = List.of();

  /**
   * Complete when the thread that closes it has given back all that it holds, or has given that up.
   */
  private final CompletableFuture<Boolean> hasGivenBack = new CompletableFuture<>();

  private EngineClient(LockBackend backend, EngineSettings settings, Seam seam) {
    core = new Core(backend, seam, settings);
    sessions = new Sessions(core);
    gates = new Gates(core, sessions);
    watches = new Watches(core, this::toPublic);
    exitHook = seam.onExit(this::exit);
  }

  /** Returns a client on real time that closes the backend when it is closed. */
  public static LockClient owning(LockBackend backend, EngineSettings settings) {
    try {
      return owning(backend, settings, new ThreadedSeam());
    } catch (RuntimeException | Error noThreads) {
      backend.close();
      throw noThreads;
    }
  }

  private static LockClient owning(LockBackend backend, EngineSettings settings, Seam seam) {
    try {
      return new EngineClient(backend, settings, seam);
    } catch (RuntimeException | Error exitsAlready) {
      seam.close();
      throw exitsAlready;
    }
  }

  /** Returns a client on another seam, which it closes together with the backend. */
  public static LockClient on(Seam seam, LockBackend backend, EngineSettings settings) {
    return new EngineClient(backend, settings, seam);
  }

  @Override
  public DistributedLock lock(String name) {
    return engineLock(name);
  }

  private EngineLock engineLock(String name) {
    LockName publicName = new LockName(name);
    return new EngineLock(core, this, fullName(name), publicName);
  }

  @Override
  public ReadWriteLockView readWriteLock(String name, AcquireOptions options) {
    if (options.mode() == LockMode.SHARED) {
      throw new BadRequestException(
          "A ReadWriteLock has both modes: ask for the lock \"%s\" without shared(), or make a view of one mode with asLock()."
              .formatted(name));
    }
    DistributedLock lock = lock(name);
    return new ModeViews(lock.asLock(options.shared()), lock.asLock(options), threadHolds);
  }

  @Override
  public MultiGrant lockAll(Collection<String> names, AcquireOptions options) {
    return lockSet(names).acquire(options);
  }

  @Override
  public Optional<MultiGrant> tryLockAll(Collection<String> names, AcquireOptions options) {
    return lockSet(names).tryAcquire(options);
  }

  private EngineLockSet lockSet(Collection<String> names) {
    Map<LockName, EngineLock> inOrder = new TreeMap<>();
    for (String name : names) {
      inOrder.put(fullName(name), engineLock(name));
    }
    return new EngineLockSet(core, List.copyOf(inOrder.values()));
  }

  @Override
  public Election election(String name) {
    LockName unused = fullName(new LockName(name).value());
    return elections.of(name);
  }

  private LockName fullName(String name) {
    return new LockName(core.settings.namePrefix() + name);
  }

  /** Returns where threads ask for a lock on sessions of that TTL. */
  @GuardedBy("turn.lock")
  Gate gate(LockName name, Duration ttl, Turn turn) {
    requireOpen(turn);
    sessions.requireTtl(ttl, turn);
    return gates.gate(name, turn);
  }

  @GuardedBy("turn.lock")
  void requireOpen(Turn turn) {
    if (closed) {
      throw Failures.closed(core.backend.describe());
    }
  }

  @Override
  public Optional<LockRecord> find(String name) {
    LockName full = fullName(new LockName(name).value());
    return ask(
            "Lock \"" + name + "\"", deadline -> core.backend.inspect(full, WAITERS_READ, deadline))
        .map(this::toPublic);
  }

  @Override
  public boolean isCurrent(Sequencer sequencer) {
    LockName full = fullName(sequencer.name().value());
    return ask(
            "Lock \"" + sequencer.name() + "\"",
            deadline -> core.backend.inspect(full, 0, deadline))
        .filter(record -> record.isHeldWith(sequencer))
        .isPresent();
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(String name, RequestId after, int limit) {
    LockName full = fullName(new LockName(name).value());
    if (limit < 1) {
      throw new BadRequestException(
          "The limit of a page must be positive, not %s.".formatted(limit));
    }
    int page = Math.min(limit, WAITERS_MAX);
    return ask(
        "The queue of lock \"" + name + "\"",
        deadline -> core.backend.waitersBehind(full, after, page, deadline));
  }

  @Override
  public Stream<LockRecord> list(String prefix) {
    String full = core.settings.namePrefix() + prefix;
    LockName.utf8("A prefix of names", full);
    return Stream.iterate(
            page(full, Optional.empty()),
            records -> !records.isEmpty(),
            records ->
                records.size() < PAGE
                    ? List.of()
                    : page(full, Optional.of(records.get(records.size() - 1).name())))
        .flatMap(List::stream)
        // A lock of others may be called exactly like this client's prefix.
        .filter(record -> !record.name().value().equals(core.settings.namePrefix()))
        .map(this::toPublic);
  }

  private List<LockRecord> page(String prefix, Optional<LockName> after) {
    return ask(
        "Listing \"" + prefix + "\"", deadline -> core.backend.list(prefix, after, PAGE, deadline));
  }

  private LockRecord toPublic(LockRecord record) {
    return record.withName(gates.publicName(record.name()));
  }

  @Override
  public Watch watch(String name, Duration interval, WatchListener listener) {
    return watches.lock(fullName(new LockName(name).value()), interval, listener);
  }

  @Override
  public Watch watchPrefix(String prefix, Duration interval, WatchListener listener) {
    String full = core.settings.namePrefix() + prefix;
    LockName.utf8("A prefix of names", full);
    return watches.prefix(full, interval, listener);
  }

  @Override
  public Revocation revoke(LockRecord seen, RevokeWhen when) {
    if (seen.holders().size() > 1) {
      throw new BadRequestException(
          "%s requests shared the lock \"%s\" when this record was read. Say which of them to revoke, with revoke(seen, holder, when)."
              .formatted(seen.holders().size(), seen.name()));
    }
    Holder holder =
        seen.holder()
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "The lock \"%s\" was free when this record was read: there is no holder to revoke. Read it again with find()."
                            .formatted(seen.name())));
    return revoke(seen, holder, when);
  }

  @Override
  public Revocation revoke(LockRecord seen, Holder holder, RevokeWhen when) {
    Observed head = revoked(seen, holder);
    return ask(revoking(seen), deadline -> core.backend.revoke(head, when, deadline));
  }

  @Override
  public Revocation revokeIn(LockRecord seen, Holder holder, Duration notice) {
    if (notice.isNegative() || notice.isZero() || notice.compareTo(AcquireOptions.STAY_MAX) > 0) {
      throw new BadRequestException(
          "The notice for the lock \"%s\" must be positive, and at most %s: %s was asked for."
              .formatted(seen.name(), AcquireOptions.STAY_MAX, notice));
    }
    Observed head = revoked(seen, holder);
    Duration counted = WholeMillis.roundedUp(notice);
    return ask(revoking(seen), deadline -> core.backend.revokeIn(head, counted, deadline));
  }

  private static String revoking(LockRecord seen) {
    return "Revoking lock \"" + seen.name() + "\"";
  }

  /** A holder whose session is over does not believe any more; the store knows whether it is. */
  private Observed revoked(LockRecord seen, Holder holder) {
    if (holder.liveness() == Liveness.LAPSED) {
      SessionId session = holder.request().session();
      ask(revoking(seen), deadline -> core.backend.end(session, EndIf.LAPSED, deadline));
    }
    return new Observed(fullName(seen.name().value()), seen.number(), holder.request());
  }

  @Override
  public Health health() {
    long startNanos = core.seam.nanos();
    Optional<String> problem = Optional.empty();
    try {
      ask("Health", deadline -> core.backend.inspect(new LockName("health"), 0, deadline));
    } catch (ClientClosedException e) {
      throw e;
    } catch (RuntimeException e) {
      problem = Optional.of(Failures.describe(e));
    }
    Duration roundTrip = Duration.ofNanos(core.seam.nanos() - startNanos);
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      return new Health(
          core.backend.describe(),
          problem,
          roundTrip,
          sessions.all(turn).stream().map(Session::health).toList());
    } finally {
      turn.lock.unlock();
    }
  }

  @Override
  public String backend() {
    return core.backend.describe();
  }

  /** One call on the caller's thread. */
  <T> T ask(String what, Verb<T> verb) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      requireOpen(turn);
    } finally {
      turn.lock.unlock();
    }
    try {
      return core.seam.callHere(Core.CALL_TIMEOUT, verb);
    } catch (RuntimeException failure) {
      throw Failures.toUser(what, core.backend.describe(), failure);
    }
  }

  @Override
  public List<SessionId> orphan() {
    Resumption unused = resumption();
    Map<SessionId, CompletableFuture<Boolean>> orphans = new LinkedHashMap<>();
    List<CompletableFuture<Boolean>> endings = new ArrayList<>();
    LastCalls calls = new LastCalls(core);
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      if (closed) {
        return List.of();
      }
      endings.addAll(endingsOfExit);
      for (Session session : closeDoors(turn)) {
        if (session.isInUse(turn)) {
          CompletableFuture<Boolean> rest = new Farewell(core, session, calls).orphan(turn);
          orphans.put(session.id, rest);
          endings.add(rest);
        } else {
          endings.add(new Farewell(core, session, calls).giveBackAll(turn));
        }
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    closeAfter(endings);
    // A session with requests not given back is dead here; the process that resumes it would hold
    // them.
    orphans.values().removeIf(rest -> !rest.getNow(false));
    return List.copyOf(orphans.keySet());
  }

  @Override
  public List<Grant> resume(SessionId session) {
    return resumption().resume(session);
  }

  private Resumption resumption() {
    return core.backend
        .resumable()
        .map(resumable -> new Resumption(core, this, sessions, gates, resumable))
        .orElseThrow(
            () ->
                new BadRequestException(
                    "Sessions at %s cannot be resumed.".formatted(core.backend.describe())));
  }

  @Override
  public void close() {
    List<CompletableFuture<Boolean>> endings = new ArrayList<>();
    LastCalls calls = new LastCalls(core);
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      if (closed) {
        return;
      }
      endings.addAll(endingsOfExit);
      for (Session session : closeDoors(turn)) {
        endings.add(new Farewell(core, session, calls).giveBackAll(turn));
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    closeAfter(endings);
  }

  /** From now on nothing is asked of this client. Returns the sessions that are to end. */
  @GuardedBy("turn.lock")
  private List<Session> closeDoors(Turn turn) {
    closed = true;
    List<Session> open = closeDoors(Failures.closed(core.backend.describe()), turn);
    watches.close(turn);
    return open;
  }

  /** From now on no thread is granted a lock. Returns the sessions that there are. */
  @GuardedBy("turn.lock")
  private List<Session> closeDoors(HoldfastException because, Turn turn) {
    List<Session> open = sessions.close(because, turn);
    gates.close(because, turn);
    return open;
  }

  private void closeAfter(List<CompletableFuture<Boolean>> endings) {
    try {
      await(endings);
    } finally {
      hasGivenBack.complete(true);
      exitHook.cancel();
      elections.close();
      core.seam.close();
      core.backend.close();
    }
  }

  /**
   * Grants end with their leases, unless the application asked for releaseOnExit(). The JVM goes on
   * to its end when this returns, so a thread that closes the client is waited for.
   */
  private void exit() {
    if (core.settings.releaseOnExit()) {
      close();
      await(List.of(hasGivenBack));
      return;
    }
    List<CompletableFuture<Boolean>> endings = new ArrayList<>();
    LastCalls calls = new LastCalls(core);
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      if (closed) {
        endings.add(hasGivenBack);
      } else {
        for (Session session : closeDoors(Failures.exiting(core.backend.describe()), turn)) {
          endings.add(
              session.isInUse(turn)
                  ? new Farewell(core, session, calls).withdrawAll(turn)
                  : new Farewell(core, session, calls).giveBackAll(turn));
        }
        endingsOfExit = endings;
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    await(endings);
  }

  /** A thread that is interrupted, as at a shutdown, gives back what it holds all the same. */
  private void await(List<CompletableFuture<Boolean>> endings) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(endings.toArray(new CompletableFuture<?>[0]));
    if (all.isDone()) {
      return; // However it has ended.
    }
    try {
      core.seam.awaitThroughInterrupts(all, CLOSE_TIMEOUT);
    } catch (TimeoutException e) {
      core.log(Level.WARN, "the store did not answer; grants end with their leases");
    }
  }
}
