package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.engine.seam.Lease;
import io.holdfast.engine.seam.Lease.Stamp;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.HoldfastException;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Opened;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sessions of one client: one per distinct TTL and partition, opened when first needed. */
public final class Sessions {

  /** The key by which sessions are shared. */
  public record Key(Duration ttl, int partition) {

    /** Written out, as in {@link io.holdfast.LockName#hashCode()}. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that && partition == that.partition && ttl.equals(that.ttl);
    }

    @Override
    public int hashCode() {
      return 31 * ttl.hashCode() + partition;
    }
  }

  /** A part of the engine that needs a session. */
  public interface User {
    /**
     * It has one.
     *
     * @param runner where what follows may run
     */
    @GuardedBy("turn.lock")
    void opened(Session session, Runner runner, Turn turn);

    /** There is none. */
    @GuardedBy("turn.lock")
    void openingFailed(RuntimeException failure, Turn turn);
  }

  private record Answer(Stamp sent, Opened opened) {}

  private final Core core;
  private final Sweeps sweeps;
  private final Map<Key, Session> usable = new HashMap<>();
  private final Map<Key, List<User>> opening = new HashMap<>();
  private final Set<Session> all = new LinkedHashSet<>();
  private final Set<Duration> ttls = new HashSet<>();

  /** The next one is a sibling of it. */
  private @Nullable SessionId lastId;

  /** Why no session is opened any more, if that is so. */
  private @Nullable HoldfastException closedBecause;

  public Sessions(Core core) {
    this.core = core;
    this.sweeps = new Sweeps(core, this);
  }

  /** Refuses a TTL that would be one too many: every distinct TTL costs heartbeats of its own. */
  @GuardedBy("turn.lock")
  public void requireTtl(Duration ttl, Turn turn) {
    if (!ttls.contains(ttl) && ttls.size() == EngineSettings.TTLS_MAX) {
      throw new BadRequestException(
          "A client may use at most %s distinct TTLs, because each costs heartbeats of its own; it uses %s, so %s is one too many."
              .formatted(EngineSettings.TTLS_MAX, ttls, ttl));
    }
    ttls.add(ttl);
  }

  /**
   * Hands over a session. Where there is none it is opened first, in the background, and so is what
   * follows: a caller can turn away from an opening that hangs, and others share it.
   */
  @GuardedBy("turn.lock")
  public void use(Duration ttl, LockName name, Runner runner, User user, Turn turn) {
    if (closedBecause != null) {
      user.openingFailed(closedBecause, turn);
      return;
    }
    Key key;
    try {
      key = new Key(ttl, core.backend.partition(name));
    } catch (RuntimeException mistake) { // Thrown on, it would undo only half of the turn.
      user.openingFailed(mistake, turn);
      return;
    }
    Session session = usable.get(key);
    if (session != null) {
      user.opened(session, runner, turn);
      return;
    }
    List<User> users = opening.get(key);
    if (users == null) {
      users = new ArrayList<>();
      opening.put(key, users);
      ClockTicks ticks = ClockTicks.begin(core, key.ttl(), turn);
      SessionId id = lastId == null ? SessionId.fresh() : lastId.sibling();
      lastId = id;
      turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, new Opening(id, key, ticks));
    }
    users.add(user);
  }

  /** An opening that is not answered is never repeated: the next one takes a new id. */
  private final class Opening implements StoreCall<Answer> {
    private final SessionId id;
    private final Key key;
    private final ClockTicks ticks;

    Opening(SessionId id, Key key, ClockTicks ticks) {
      this.id = id;
      this.key = key;
      this.ticks = ticks;
    }

    @Override
    public Answer send(CheckedBackend store, Deadline deadline) {
      Stamp sent = core.clocks.now();
      SessionSpec spec = new SessionSpec(id, key.ttl(), key.partition(), core.settings.process());
      return new Answer(sent, store.open(spec, deadline));
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Answer answer, Turn turn) {
      ticks.end();
      Session session = adopt(id, key, answer, turn);
      for (User user : opened(key, turn)) {
        user.opened(session, Runner.BACKGROUND, turn);
      }
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      ticks.end();
      if (failure instanceof BadRequestException) {
        ttls.remove(key.ttl());
      }
      for (User user : opened(key, turn)) {
        user.openingFailed(failure, turn);
      }
    }
  }

  /** Returns what waits for an opening that is answered now. */
  @GuardedBy("turn.lock")
  List<User> opened(Key key, Turn turn) {
    List<User> users = opening.remove(key);
    return users == null ? List.of() : users;
  }

  @GuardedBy("turn.lock")
  private Session adopt(SessionId id, Key key, Answer answer, Turn turn) {
    Lease lease = Lease.of(answer.sent(), answer.opened().ttl(), core.settings.clockRateBound());
    Session session = new Session(core, this, id, key, answer.opened(), lease);
    all.add(session);
    if (closedBecause != null) {
      session.close(turn);
      return session;
    }
    usable.put(key, session);
    session.begin(turn);
    sweeps.begin(id, turn);
    return session;
  }

  /** Goes on with a session that an earlier life of this process has opened. */
  @GuardedBy("turn.lock")
  public Session resume(SessionId id, Opened opened, Stamp sent, Turn turn) {
    Lease lease = Lease.of(sent, opened.ttl(), core.settings.clockRateBound());
    Session session = new Session(core, this, id, new Key(opened.ttl(), 0), opened, lease);
    all.add(session);
    lastId = lastId == null ? id : lastId;
    session.begin(turn);
    sweeps.begin(id, turn);
    return session;
  }

  /** The session takes no further requests. */
  @GuardedBy("turn.lock")
  void retire(Session session, Turn turn) {
    usable.remove(session.key, session);
  }

  /** The session is over. */
  @GuardedBy("turn.lock")
  void forget(Session session, Turn turn) {
    retire(session, turn);
    all.remove(session);
  }

  @GuardedBy("turn.lock")
  public List<Session> all(Turn turn) {
    return List.copyOf(all);
  }

  /** From now on no session is opened. */
  @GuardedBy("turn.lock")
  public List<Session> close(HoldfastException because, Turn turn) {
    closedBecause = because;
    return all(turn);
  }
}
