package io.holdfast.engine.watch;

import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Stay;
import io.holdfast.spi.answer.Edition;
import io.holdfast.spi.answer.Sighting;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A watch's knowledge of a lock: the latest state that it has told. Guarded by the turn. */
final class KnownLock {

  private Optional<LockRecord> told = Optional.empty();
  private Optional<Edition> newest = Optional.empty();

  /** Since when it is seen in older states only, or not at all. */
  private Optional<Long> doubtedSinceNanos = Optional.empty();

  /**
   * Takes note of a state. One that is older than another which was told is none: it was read from
   * a server that has not heard of its successor. But if such states are all that is seen for long,
   * the store has lost the newer ones.
   *
   * @return whether it is news
   */
  boolean see(Sighting seen, long nowNanos, long patienceNanos) {
    boolean isOlder =
        newest.isPresent()
            && seen.edition().filter(edition -> edition.compareTo(newest.get()) < 0).isPresent();
    if (isOlder && !isInDoubtFor(patienceNanos, nowNanos)) {
      return false;
    }
    doubtedSinceNanos = Optional.empty();
    newest = seen.edition().or(() -> newest);
    Optional<LockRecord> now = Optional.of(timeless(seen.record()));
    boolean isNews = !now.equals(told);
    told = now;
    return isNews;
  }

  /** Returns the state in which it is now that it is held no more; empty if it was not. */
  Optional<LockRecord> free() {
    return told.filter(lock -> !lock.holders().isEmpty() || lock.waiting() > 0)
        .map(lock -> new LockRecord(lock.name(), lock.number(), List.of(), List.of()));
  }

  /** Returns whether this was asked, and nothing else was seen, for so long. */
  boolean isInDoubtFor(long patienceNanos, long nowNanos) {
    if (doubtedSinceNanos.isEmpty()) {
      doubtedSinceNanos = Optional.of(nowNanos);
    }
    return nowNanos - doubtedSinceNanos.get() >= patienceNanos;
  }

  /** Returns the record without what changes while time passes and nothing happens. */
  private static LockRecord timeless(LockRecord record) {
    return new LockRecord(
        record.name(),
        record.number(),
        record.holders().stream().map(KnownLock::timeless).toList(),
        record.waiters(),
        record.waiting());
  }

  private static Holder timeless(Holder holder) {
    return new Holder(
        holder.request(),
        holder.mode(),
        holder.process(),
        holder.why(),
        holder.payload(),
        holder.since(),
        holder.liveness(),
        holder.revokedAt(),
        holder.stay().map(stay -> new Stay(stay.reason(), Duration.ZERO)),
        Optional.empty(),
        holder.ownNumber());
  }
}
