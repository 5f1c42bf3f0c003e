package io.holdfast.engine;

import static java.util.Objects.requireNonNull;

import io.holdfast.BadRequestException;
import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.Health;
import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.engine.Core.Turn;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.engine.Seam.Timer;
import io.holdfast.engine.Seam.Verb;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Observed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** A client: the gates and sessions over one backend. */
public final class EngineClient implements LockClient {

  /** How long {@link #close()} and the exit hook wait for the store. */
  private static final Duration CLOSE_TIMEOUT = Core.CALL_TIMEOUT;

  private static final int PAGE = 100;

  private final Core core;
  private final Sessions sessions;
  private final Gates gates;
  private final Timer exitHook;
  private boolean closed;

  private EngineClient(LockBackend backend, EngineSettings settings, Seam seam) {
    core = new Core(backend, seam, settings);
    sessions = new Sessions(core);
    gates = new Gates(core, sessions);
    exitHook = seam.onExit(this::exit);
  }

  /** Returns a client on real time that closes the backend when it is closed. */
  public static LockClient owning(LockBackend backend, EngineSettings settings) {
    try {
      return new EngineClient(backend, settings, new ThreadedSeam());
    } catch (Error noThreads) {
      backend.close();
      throw noThreads;
    }
  }

  /** Returns a client on another seam, which it closes together with the backend. */
  public static LockClient on(Seam seam, LockBackend backend, EngineSettings settings) {
    return new EngineClient(backend, settings, seam);
  }

  @Override
  public DistributedLock lock(String name) {
    LockName publicName = new LockName(name);
    return new EngineLock(core, this, fullName(name), publicName);
  }

  private LockName fullName(String name) {
    return new LockName(core.settings.namePrefix() + name);
  }

  /** In a turn: returns where threads ask for a lock on sessions of that TTL. */
  Gate gate(LockName name, Duration ttl) {
    requireOpen();
    sessions.requireTtl(ttl);
    return gates.gate(name);
  }

  void requireOpen() {
    if (closed) {
      throw EngineLock.closed(core.backend.describe());
    }
  }

  @Override
  public Optional<LockRecord> find(String name) {
    LockName full = fullName(new LockName(name).value());
    return ask("Lock \"" + name + "\"", deadline -> core.backend.inspect(full, deadline))
        .map(this::toPublic);
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
  public Revocation revoke(LockRecord seen, RevokeWhen when) {
    Holder holder =
        seen.holder()
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "Nobody held the lock \"" + seen.name() + "\" in this record."));
    String what = "Revoking lock \"" + seen.name() + "\"";
    LockName name = fullName(seen.name().value());
    if (holder.liveness() == Liveness.LAPSED) {
      // Once its session is over nobody believes in it any more: the store knows if that is so.
      ask(what, deadline -> core.backend.end(holder.request().session(), EndIf.LAPSED, deadline));
    }
    Observed head = new Observed(name, seen.number(), holder.request());
    return ask(what, deadline -> core.backend.revoke(head, when, deadline));
  }

  @Override
  public Health health() {
    long startNanos = core.seam.nanos();
    Optional<String> problem = Optional.empty();
    try {
      ask("Health", deadline -> core.backend.inspect(new LockName("health"), deadline));
    } catch (ClientClosedException e) {
      throw e;
    } catch (RuntimeException e) {
      problem = Optional.of(Failures.describe(e));
    }
    Duration roundTrip = Duration.ofNanos(core.seam.nanos() - startNanos);
    try (Turn asked = core.turn()) {
      return new Health(
          core.backend.describe(),
          problem,
          roundTrip,
          sessions.all().stream().map(Session::health).toList());
    }
  }

  @Override
  public String backend() {
    return core.backend.describe();
  }

  /** One call on the caller's thread. */
  <T> T ask(String what, Verb<T> verb) {
    Reply<T> reply = new Reply<>();
    try (Turn asked = core.turn()) {
      requireOpen();
      core.call(
          Lane.CALLER,
          Core.CALL_TIMEOUT,
          verb,
          value -> reply.value = value,
          failure -> reply.failure = failure);
    }
    RuntimeException failure = reply.failure;
    if (failure != null) {
      throw Failures.toUser(what, core.backend.describe(), failure);
    }
    return requireNonNull(reply.value);
  }

  private static final class Reply<T> {
    @Nullable T value;
    @Nullable RuntimeException failure;
  }

  @Override
  public List<SessionId> orphan() {
    Resumption unused = resumption();
    List<SessionId> orphans = new ArrayList<>();
    close(
        session -> {
          if (session.grants.isEmpty()) {
            return session.giveBackAll();
          }
          orphans.add(session.id);
          return session.orphan();
        });
    return orphans;
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
    close(Session::giveBackAll);
  }

  private void close(Function<Session, CompletableFuture<Boolean>> ending) {
    List<CompletableFuture<?>> endings = new ArrayList<>();
    try (Turn asked = core.turn()) {
      if (closed) {
        return;
      }
      closed = true;
      List<Session> open = sessions.close();
      gates.close(EngineLock.closed(core.backend.describe()));
      for (Session session : open) {
        endings.add(ending.apply(session));
      }
    }
    exitHook.cancel();
    await(endings);
    core.seam.close();
    core.backend.close();
  }

  /** What is held ends with its lease, unless the application asked for more. */
  private void exit() {
    if (core.settings.releaseOnExit()) {
      close();
      return;
    }
    List<CompletableFuture<?>> endings = new ArrayList<>();
    try (Turn exiting = core.turn()) {
      if (closed) {
        return;
      }
      gates.close(EngineLock.closed(core.backend.describe()));
      for (Session session : sessions.close()) {
        endings.add(session.grants.isEmpty() ? session.giveBackAll() : session.withdrawAll());
      }
    }
    await(endings);
  }

  /** A thread that is interrupted, as at a shutdown, gives back what it holds all the same. */
  private void await(List<CompletableFuture<?>> endings) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(endings.toArray(new CompletableFuture<?>[0]));
    long endNanos = core.seam.nanos() + CLOSE_TIMEOUT.toNanos();
    boolean interrupted = Thread.interrupted();
    while (!all.isDone()) {
      try {
        core.seam.await(all, Duration.ofNanos(Math.max(0, endNanos - core.seam.nanos())));
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TimeoutException e) {
        try (Turn late = core.turn()) {
          core.log(Level.WARN, "the store did not answer; what is held there ends with its lease");
        }
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
