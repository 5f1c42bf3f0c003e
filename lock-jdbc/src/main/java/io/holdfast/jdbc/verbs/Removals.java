package io.holdfast.jdbc.verbs;

import io.holdfast.LockName;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.StoredStay;
import io.holdfast.jdbc.verbs.LockReader.LockState;
import io.holdfast.jdbc.verbs.LockReader.Seen;
import io.holdfast.record.Stay;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import java.sql.SQLException;
import java.util.Optional;

/**
 * How others remove a holder. A holder is judged by what was read of it, its session and its stay,
 * which end for good; it is removed if its entry is still the same.
 */
final class Removals {

  private final LockReader reader;
  private final Queues queues;
  private final EntryChanges entries;

  Removals(LockReader reader, Queues queues, EntryChanges entries) {
    this.reader = reader;
    this.queues = queues;
    this.entries = entries;
  }

  Attempt overtake(DatabaseConnection connection, Request request, Observed observed)
      throws SQLException {
    LockState state = reader.read(connection, request.name(), request.id().session());
    Attempt answer = queues.answer(state, request.id());
    boolean mayOvertake =
        (answer instanceof Attempt.Refused || answer instanceof Attempt.Queued)
            && !request.id().equals(observed.request())
            && queues.guardLeft(state) == 0;
    Optional<Entry> holder = state.lock().holder(observed);
    if (!mayOvertake || holder.isEmpty()) {
      return answer;
    }
    removeIfDue(connection, state.seen(), holder.get(), Entry.of(request).text());
    return queues.answer(connection, request);
  }

  /** Removes a holder that others may remove, or begins its lock-delay; returns whether it did. */
  private boolean removeIfDue(
      DatabaseConnection connection, Seen seen, Entry holder, String newcomer) throws SQLException {
    Judge judge = seen.judge();
    if (judge.mayBeRemoved(holder)) {
      return queues.remove(connection, seen.lock(), holder, newcomer) != Released.NOTHING;
    }
    if (!judge.beginsDelay(holder)) {
      return false;
    }
    StoredStay delay = judge.beginAtLeast(Stay.Reason.LOCK_DELAY, holder.lockDelay());
    return entries.replace(connection, seen.lock(), holder, holder.withoutLockDelay().with(delay));
  }

  /**
   * Removes the holders of a lock that others may remove, and lets stays of another clock begin
   * again, which no other client may ever see; returns how many it has changed.
   */
  int removeDead(DatabaseConnection connection, LockName name) throws SQLException {
    Optional<Seen> found = reader.inspect(connection, name);
    if (found.isEmpty()) {
      return 0;
    }
    Seen seen = found.get();
    int changed = entries.beginAnew(connection, seen.lock(), seen.judge());
    for (Entry holder : seen.lock().holders()) {
      changed += removeIfDue(connection, seen, holder, Queues.NOBODY) ? 1 : 0;
    }
    return changed;
  }
}
