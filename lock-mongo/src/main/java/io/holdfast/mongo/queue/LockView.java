package io.holdfast.mongo.queue;

import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.clock.ClockReading.Verdict;
import io.holdfast.mongo.session.LiveSessions;
import io.holdfast.mongo.session.SessionDocument;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Waiter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lock and the sessions of its requests, as they seem to stand. It was read without a write, so a
 * client that acts on it judges again what can change.
 *
 * @param live read after the lock
 */
record LockView(LockDocument lock, LiveSessions live) {

  private ClockReading clock() {
    return live.clock();
  }

  /** Returns the head of a held lock. */
  Entry head() {
    return lock.queue().get(0);
  }

  /** Returns whether a holder has no session any more, or needs none. */
  boolean isWithoutSession(Entry holder) {
    return live.of(holder.request()) == null
        || lock.stay(holder).filter(stay -> !stay.isRevocation()).isPresent();
  }

  Liveness liveness(Entry entry) {
    Optional<StoredStay> stay = lock.stay(entry);
    boolean stayIsOver = stay.filter(each -> each.judge(clock()) == Verdict.PASSED).isPresent();
    if (stay.isPresent() && !stay.get().isRevocation()) {
      return stayIsOver ? Liveness.ENDED : Liveness.STAYING;
    }
    @Nullable SessionDocument session = live.of(entry.request());
    if (session == null) {
      return Liveness.ENDED;
    }
    if (stayIsOver) {
      return Liveness.REVOCATION_DUE;
    }
    return session.judge(clock()) == Verdict.RUNNING ? Liveness.LIVE : Liveness.LAPSED;
  }

  /**
   * Returns how long until a request's standing changes if its session is not renewed; empty if it
   * does not count now.
   */
  Optional<Duration> dueIn(Entry entry) {
    Optional<Duration> stays = lock.stay(entry).map(stay -> stay.left(clock()));
    return switch (liveness(entry)) {
      case STAYING -> stays;
      case LIVE -> Stream.concat(stays.stream(), lapsesIn(entry).stream()).min(Duration::compareTo);
      case LAPSED, ENDED, REVOCATION_DUE -> Optional.empty();
    };
  }

  private Optional<Duration> lapsesIn(Entry entry) {
    return Optional.ofNullable(live.of(entry.request())).map(session -> session.left(clock()));
  }

  /** Returns when the first of the holders may be removed; empty if one does not count now. */
  Optional<Duration> firstDueIn() {
    List<Optional<Duration>> due = lock.holders().stream().map(this::dueIn).toList();
    return due.stream().allMatch(Optional::isPresent)
        ? due.stream().flatMap(Optional::stream).min(Duration::compareTo)
        : Optional.empty();
  }

  /** Returns the lock's record for users. Requires the whole document. */
  LockRecord record(String where) {
    return new LockRecord(
        lock.name(),
        lock.number(),
        lock.holders().stream().map(entry -> holder(entry, where)).toList(),
        lock.waiters().stream().map(entry -> waiter(entry, where)).toList());
  }

  private Waiter waiter(Entry entry, String where) {
    About about = lock.about(entry, where);
    return new Waiter(entry.request(), entry.mode(), about.process(), about.why());
  }

  private Holder holder(Entry entry, String where) {
    About about = lock.about(entry, where);
    Optional<StoredStay> stay = lock.stay(entry);
    return new Holder(
        entry.request(),
        entry.mode(),
        about.process(),
        about.why(),
        about.payload(),
        lock.since(),
        liveness(entry),
        stay.filter(StoredStay::isRevocation).map(StoredStay::from),
        stay.map(each -> each.shown(clock())),
        dueIn(entry),
        OptionalLong.empty());
  }
}
