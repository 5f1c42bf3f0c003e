package io.holdfast.engine;

import io.holdfast.BadRequestException;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.engine.Lease.Stamp;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.Opened;
import io.holdfast.spi.SessionSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The sessions of one client: one per distinct TTL and partition, opened when first needed. */
final class Sessions {

  /** What sessions are shared by. */
  record Key(Duration ttl, int partition) {}

  private record Wish(BiConsumer<Session, Lane> onOpen, Consumer<RuntimeException> onFailure) {}

  private record Answer(Stamp sent, Opened opened) {}

  private final Core core;
  private final Sweeps sweeps;
  private final Map<Key, Session> usable = new HashMap<>();
  private final Map<Key, List<Wish>> opening = new HashMap<>();
  private final Set<Session> all = new LinkedHashSet<>();
  private final Set<Duration> ttls = new HashSet<>();
  private boolean closed;

  Sessions(Core core) {
    this.core = core;
    this.sweeps = new Sweeps(core, this);
  }

  /** Refuses a TTL that would be one too many: every distinct TTL costs heartbeats of its own. */
  void requireTtl(Duration ttl) {
    if (!ttls.contains(ttl) && ttls.size() == EngineSettings.TTLS_MAX) {
      throw new BadRequestException(
          "A client may use at most %d distinct TTLs, because each costs heartbeats of its own; it uses %s, so %s is one too many."
              .formatted(EngineSettings.TTLS_MAX, ttls, ttl));
    }
    ttls.add(ttl);
  }

  /**
   * Hands over a session. Where there is none it is opened first, in the background, and so is what
   * follows: a caller can turn away from an opening that hangs, and others share it.
   */
  void use(
      Duration ttl,
      LockName name,
      Lane lane,
      BiConsumer<Session, Lane> onOpen,
      Consumer<RuntimeException> onFailure) {
    if (closed) {
      onFailure.accept(EngineLock.closed(core.backend.describe()));
      return;
    }
    Key key = new Key(ttl, core.backend.partition(name));
    Session session = usable.get(key);
    if (session != null) {
      onOpen.accept(session, lane);
      return;
    }
    List<Wish> wishes = opening.get(key);
    if (wishes == null) {
      wishes = new ArrayList<>();
      opening.put(key, wishes);
      open(key);
    }
    wishes.add(new Wish(onOpen, onFailure));
  }

  /** An opening that is not answered is never repeated: the next one takes a new id. */
  private void open(Key key) {
    SessionId id = SessionId.fresh();
    SessionSpec spec = new SessionSpec(id, key.ttl(), key.partition(), core.settings.process());
    core.call(
        Lane.BACKGROUND,
        Core.CALL_TIMEOUT,
        deadline -> {
          Stamp sent = core.clocks.now();
          return new Answer(sent, core.backend.open(spec, deadline));
        },
        answer -> {
          Session session = adopt(id, key, answer);
          answer(key, wish -> wish.onOpen.accept(session, Lane.BACKGROUND));
        },
        failure -> {
          if (failure instanceof BadRequestException) {
            ttls.remove(key.ttl());
          }
          answer(key, wish -> wish.onFailure.accept(failure));
        });
  }

  private void answer(Key key, Consumer<Wish> how) {
    List<Wish> wishes = opening.remove(key);
    if (wishes != null) {
      wishes.forEach(how);
    }
  }

  private Session adopt(SessionId id, Key key, Answer answer) {
    Lease lease = Lease.of(answer.sent(), answer.opened().ttl(), core.settings.clockRateBound());
    Session session = new Session(core, this, id, key, answer.opened(), lease);
    all.add(session);
    if (closed) {
      session.close();
      return session;
    }
    usable.put(key, session);
    session.begin();
    sweeps.begin(id);
    return session;
  }

  /** Goes on with what an earlier life of this process has opened. */
  Session resume(SessionId id, Opened opened, Stamp sent) {
    Lease lease = Lease.of(sent, opened.ttl(), core.settings.clockRateBound());
    Session session = new Session(core, this, id, new Key(opened.ttl(), 0), opened, lease);
    all.add(session);
    session.begin();
    sweeps.begin(id);
    return session;
  }

  /** The session takes no further requests. */
  void retire(Session session) {
    usable.remove(session.key, session);
  }

  /** The session is over. */
  void forget(Session session) {
    retire(session);
    all.remove(session);
  }

  List<Session> all() {
    return List.copyOf(all);
  }

  /** From now on no session is opened. */
  List<Session> close() {
    closed = true;
    return all();
  }
}
