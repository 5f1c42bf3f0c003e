package io.holdfast.mongo.queue;

import io.holdfast.LockName;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.queue.Stays.Judged;
import io.holdfast.mongo.queue.StoredStay.Kind;
import io.holdfast.mongo.session.Notices;
import io.holdfast.mongo.session.SessionDocument;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.answer.Observed;
import java.time.Duration;
import java.util.Optional;

/** Revokes grants: first the holder's session is marked, then the lock's record. */
public final class Revocations {

  private final Sessions sessions;
  private final Notices notices;
  private final FirstGrants firstGrants;
  private final Stays stays;
  private final Removals removals;

  public Revocations(
      Sessions sessions, Notices notices, FirstGrants firstGrants, Stays stays, Removals removals) {
    this.sessions = sessions;
    this.notices = notices;
    this.firstGrants = firstGrants;
    this.stays = stays;
    this.removals = removals;
  }

  public Revocation revoke(CommandSender sender, Observed observed, RevokeWhen when) {
    return switch (when) {
      case SAFELY ->
          asObserved(sender, observed, (lock, holder) -> mark(sender, lock, holder, Duration.ZERO));
      case NOW -> asObserved(sender, observed, (lock, holder) -> evict(sender, lock, holder));
    };
  }

  public Revocation revokeIn(CommandSender sender, Observed observed, Duration notice) {
    return asObserved(sender, observed, (lock, holder) -> mark(sender, lock, holder, notice));
  }

  /** A step on a holder; empty if the holder has changed since it was read. */
  private interface Step {
    Optional<Revocation> on(LockDocument lock, Entry holder);
  }

  /** A holder, and the lock in which it was read. */
  private record Found(LockDocument lock, Entry holder) {

    static Optional<Found> in(LockDocument lock, Search search) {
      return search.in(lock).map(holder -> new Found(lock, holder));
    }
  }

  /** Looks for a holder in a lock. */
  private interface Search {
    Optional<Entry> in(LockDocument lock);
  }

  /**
   * Takes a step on the holder that was observed. Once that has been found it is looked for by its
   * request alone: it may have been told to give up a grant whose number rises before the grant is
   * marked, because the holder has let others share its lock, or because the number was too low.
   */
  private Revocation asObserved(CommandSender sender, Observed observed, Step step) {
    Optional<Found> found = find(sender, observed.name(), lock -> lock.asObserved(observed));
    for (int left = QueueWriter.ROUNDS_MAX; left > 0; left--) {
      if (found.isEmpty()) {
        return new Revocation.Changed();
      }
      Optional<Revocation> done = step.on(found.get().lock(), found.get().holder());
      if (done.isPresent()) {
        return done.get();
      }
      found = find(sender, observed.name(), lock -> lock.holder(observed.request()));
    }
    throw QueueWriter.contended(sender, observed.name());
  }

  private Optional<Revocation> evict(CommandSender sender, LockDocument lock, Entry holder) {
    if (!isWithoutSession(lock, holder)) {
      notices.notifyRevoked(sender, holder.request(), Duration.ZERO);
    }
    return remove(sender, lock, holder);
  }

  /** A holder that stays without a session is removed at once; there is no session to tell. */
  private Optional<Revocation> mark(
      CommandSender sender, LockDocument lock, Entry holder, Duration notice) {
    if (isWithoutSession(lock, holder)) {
      return remove(sender, lock, holder);
    }
    Kind kind = notice.isZero() ? Kind.REVOKED : Kind.NOTICE;
    Optional<SessionDocument> session = notices.notifyRevoked(sender, holder.request(), notice);
    if (session.isEmpty()) {
      return kind == Kind.NOTICE && lock.hasDelayLeft(holder)
          ? stays
              .begin(sender, lock, holder, Kind.LOCK_DELAY, holder.lockDelay())
              .map(Revocation.Marked::new)
          : remove(sender, lock, holder);
    }
    Duration ttl = session.get().ttl();
    Duration lasts =
        (notice.compareTo(ttl) > 0 ? notice : ttl).plus(sessions.settings(sender).maxClockStep());
    return lock.stay(holder).isEmpty()
        ? stays.begin(sender, lock, holder, kind, lasts).map(Revocation.Marked::new)
        : stays
            .judge(sender, lock, holder)
            .flatMap(judged -> markAgain(sender, judged, holder, kind, lasts));
  }

  /** Of two marks that one counts by which the holder may be removed sooner. */
  private Optional<Revocation> markAgain(
      CommandSender sender, Judged judged, Entry holder, Kind kind, Duration lasts) {
    if (judged.isOver()) {
      return remove(sender, judged.lock(), holder);
    }
    Kind present = judged.stay().kind();
    Kind next = present == Kind.NOTICE ? kind : present; // A used-up delay stays so.
    if (judged.endsAfter(lasts)) {
      return stays.begin(sender, judged.lock(), holder, next, lasts).map(Revocation.Marked::new);
    }
    return next == present || stays.change(sender, judged.lock(), holder, next)
        ? Optional.of(new Revocation.Marked(judged.left()))
        : Optional.empty();
  }

  private static boolean isWithoutSession(LockDocument lock, Entry holder) {
    return lock.stay(holder).filter(stay -> !stay.isRevocation()).isPresent();
  }

  private Optional<Revocation> remove(CommandSender sender, LockDocument lock, Entry holder) {
    return removals.remove(sender, lock, holder).map(after -> new Revocation.Freed());
  }

  /**
   * Reads a lock and looks for a holder. A newly elected primary may not know yet that a majority
   * has confirmed its grant, so a lock without that holder is read again by a write.
   */
  private Optional<Found> find(CommandSender sender, LockName name, Search search) {
    return sender
        .find(CollectionRole.LOCKS, LockCommands.byName(name), LockCommands.QUEUE, "_id", 1)
        .stream()
        .map(document -> LockDocument.read(document, sender.describe()))
        .findFirst()
        .flatMap(lock -> Found.in(lock, search))
        .or(() -> Found.in(firstGrants.confirmed(sender, name), search));
  }
}
