package io.holdfast.jdbc.verbs;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LocksSeen;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.RowChanges;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.database.StoredStay;
import io.holdfast.jdbc.verbs.LockReader.LockState;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The verbs by which a request gets a lock, shares it and leaves it. One statement on the lock's
 * row decides each; later reads only find out what to answer.
 */
final class Queues {

  /**
   * How often a grab is tried that found the lock held, and then free; or no record, and then one.
   */
  private static final int GRABS_MAX = 3;

  private static final int CAP = QueueTextDialect.QUEUE_MAX;

  /** For {@link QueueTextDialect#remove}: any number, and whether it holds or waits. */
  private static final Long ANY_NUMBER = 0L;

  /** Likewise: if no request waits, none has the lock. */
  static final String NOBODY = "";

  private final QueueTextDatabase database;
  private final QueueTextDialect dialect;
  private final RowChanges changes;
  private final String leave;

  /** Locks that this client has given back and left free: likely to be free when it wants them. */
  private final LocksSeen leftFree = new LocksSeen();

  private final LockReader reader;
  private final EntryChanges entries;
  private final RestartGuard restartGuard;

  /** As parameters of statements. */
  private final Integer guard;

  private final Integer maxWaiters;

  Queues(
      QueueTextDatabase database, LockReader reader, EntryChanges entries, BackendOptions options) {
    this.database = database;
    this.reader = reader;
    this.entries = entries;
    this.restartGuard = options.restartGuard();
    this.guard = restartGuard == RestartGuard.ON ? 1 : 0;
    this.maxWaiters = options.maxWaiters().orElse(QueueTextDialect.WAITERS_MAX);
    this.dialect = database.dialect();
    this.changes = dialect.changes();
    this.leave = dialect.leave();
  }

  Attempt grab(DatabaseConnection connection, Request request) throws SQLException {
    String mark = Entry.mark(request.id());
    Entry entry = Entry.of(request, mark);
    // As few objects as there can be: an adapter makes these for each acquire.
    Map<String, Object> parameters =
        Map.of(
            "name",
            request.name().bytes(),
            "session",
            request.id().session().value(),
            "mark",
            mark,
            "entry",
            entry.text(),
            "guard",
            guard,
            "shared",
            request.mode() == LockMode.SHARED ? 1 : 0,
            "join",
            request.ifHeld() == IfHeld.QUEUE ? 1 : 0,
            "room",
            CAP - entry.text().length(),
            "waiters",
            maxWaiters);
    for (int left = GRABS_MAX; ; left--) {
      Optional<Attempt> told;
      try {
        told = takeOrGrab(connection, request.name(), parameters);
      } catch (SQLException e) {
        if (left > 1 && database.isDuplicateKey(e)) {
          continue;
        }
        throw e;
      }
      if (told.isPresent()) {
        return told.get();
      }
      LockState state = reader.read(connection, request.name(), request.id().session());
      Attempt answer = answer(state, request.id());
      if (!(answer instanceof Attempt.Refused) || isRefused(state.lock(), request)) {
        return answer;
      }
      Optional<String> limit = limit(state.lock(), entry);
      if (limit.isPresent()) {
        return new Attempt.QueueFull(limit.get());
      }
      if (left == 1) {
        return answer;
      }
    }
  }

  private Optional<Attempt> takeOrGrab(
      DatabaseConnection connection, LockName name, Map<String, ?> parameters) throws SQLException {
    if (leftFree.contains(name)) {
      Optional<Attempt> taken = changes.take(connection, parameters);
      if (taken.isPresent()) {
        return taken;
      }
      leftFree.remove(name);
    }
    return changes.grab(connection, parameters);
  }

  private static boolean isRefused(LockRow lock, Request request) {
    return (request.ifHeld() == IfHeld.REFUSE && !lock.isFree()) || lock.hasTombstone(request.id());
  }

  /** Returns what keeps a request that wants to wait from joining, if anything does. */
  private Optional<String> limit(LockRow lock, Entry entry) {
    if (lock.isFree()) {
      return Optional.empty();
    }
    if (lock.waiting() >= maxWaiters) {
      return Optional.of("maxWaiters=" + maxWaiters);
    }
    return lock.queue().length() + entry.text().length() <= CAP
        ? Optional.empty()
        : Optional.of("a queue of %s characters".formatted(CAP));
  }

  /** Reads how a request stands that has changed nothing. */
  Attempt answer(DatabaseConnection connection, Request request) throws SQLException {
    return answer(reader.read(connection, request.name(), request.id().session()), request.id());
  }

  Attempt answer(LockState state, RequestId request) {
    LockRow lock = state.lock();
    if (!state.sessionLives()) {
      return new Attempt.SessionOver();
    }
    if (lock.isHeldBy(request)) {
      return new Attempt.Granted(
          lock.number(), StoreTime.instant(lock.since()), Contention.of(lock.waiting()));
    }
    if (lock.hasQueued(request)) {
      return new Attempt.Queued();
    }
    long delayed = guardLeft(state);
    if (delayed > 0) {
      return new Attempt.Delayed(
          StoreTime.duration(delayed),
          "%s continued from a state that may lack its last grants, so no lock is granted until the earlier leases have run out."
              .formatted(database.describe()));
    }
    return new Attempt.Refused(
        state.seen().toRecord(), state.seen().judge().firstDueIn(lock.holders()));
  }

  /**
   * Returns for how many microseconds the restart guard keeps locks from being taken, if it does.
   */
  long guardLeft(LockState state) {
    return restartGuard == RestartGuard.ON ? Math.max(0, state.guard()) : 0;
  }

  Released release(DatabaseConnection connection, RequestKey key) throws SQLException {
    Map<String, Object> parameters =
        Map.of(
            "name",
            key.name().bytes(),
            "mark",
            Entry.mark(key.request()),
            "number",
            ANY_NUMBER,
            "newcomer",
            NOBODY);
    if (leftFree.contains(key.name()) && connection.change(leave, parameters) > 0) {
      return Released.FREED;
    }
    Released released = changes.remove(connection, parameters);
    if (released == Released.FREED) {
      leftFree.add(key.name());
    } else {
      leftFree.remove(key.name());
    }
    return released;
  }

  Released releaseAfter(DatabaseConnection connection, RequestKey key, Duration stay)
      throws SQLException {
    while (true) {
      LockState state = reader.read(connection, key.name(), key.request().session());
      LockRow lock = state.lock();
      if (lock.hasTombstone(key.request())) {
        return Released.STAYS;
      }
      Optional<Entry> holder =
          lock.holder(new Observed(key.name(), lock.number(), key.request()))
              .filter(entry -> entry.stay().filter(StoredStay::isRevocation).isEmpty());
      if (holder.isEmpty()) {
        return release(connection, key);
      }
      StoredStay taken =
          state.seen().judge().beginAtLeast(Stay.Reason.AT_LEAST, StoreTime.micros(stay));
      if (entries.replace(connection, lock, holder.get(), holder.get().tombstone(taken))) {
        return Released.STAYS;
      }
    }
  }

  /**
   * Removes a holder if its entry is still as it was read, under the same number.
   *
   * @param newcomer the entry that holds if no request waits; empty for none
   */
  Released remove(DatabaseConnection connection, LockRow lock, Entry holder, String newcomer)
      throws SQLException {
    return changes.remove(
        connection,
        Map.of(
            "name", lock.name().bytes(),
            "mark", holder.exactly(),
            "number", lock.number(),
            "newcomer", newcomer));
  }

  OptionalLong downgrade(DatabaseConnection connection, RequestKey key) throws SQLException {
    String mark = Entry.mark(key.request());
    connection.change(
        dialect.downgrade(),
        Map.of("name", key.name().bytes(), "exclusive", "x" + mark, "shared", "s" + mark));
    LockRow lock = reader.read(connection, key.name(), key.request().session()).lock();
    return lock.isHeldBy(key.request()) && lock.isShared()
        ? OptionalLong.of(lock.number())
        : OptionalLong.empty();
  }
}
