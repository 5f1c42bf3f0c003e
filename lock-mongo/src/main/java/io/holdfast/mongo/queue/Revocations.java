package io.holdfast.mongo.queue;

import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.Stay.Reason;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.session.SessionDocument;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.spi.Observed;
import java.time.Duration;
import java.util.Optional;

/** Revokes grants: first the holder's session is marked, then the lock's record. */
public final class Revocations {

  private final Sessions sessions;
  private final Stays stays;
  private final Removals removals;

  public Revocations(Sessions sessions, Stays stays, Removals removals) {
    this.sessions = sessions;
    this.stays = stays;
    this.removals = removals;
  }

  public Revocation revoke(CommandSender sender, Observed observed, RevokeWhen when) {
    for (int left = QueueWriter.ROUNDS_MAX; left > 0; left--) {
      Optional<LockDocument> snapshot = find(sender, observed);
      Optional<Entry> holder = snapshot.flatMap(lock -> lock.asObserved(observed));
      if (holder.isEmpty()) {
        return new Revocation.Changed();
      }
      Optional<Revocation> done = revoke(sender, snapshot.get(), holder.get(), when);
      if (done.isPresent()) {
        return done.get();
      }
    }
    throw QueueWriter.contended(sender, observed.name());
  }

  /** Returns empty if the holder has changed since it was read. */
  private Optional<Revocation> revoke(
      CommandSender sender, LockDocument lock, Entry holder, RevokeWhen when) {
    Optional<SessionDocument> session =
        sessions.notifyRevoked(sender, holder.request(), Duration.ZERO);
    if (session.isEmpty() || when == RevokeWhen.NOW) {
      return removals.remove(sender, lock, holder).map(after -> new Revocation.Freed());
    }
    // The first mark counts: a second revocation does not restart the wait.
    if (lock.stay(holder).isPresent()) {
      return stays
          .left(sender, lock, holder)
          .flatMap(
              left ->
                  left.isZero()
                      ? removals.remove(sender, lock, holder).map(after -> new Revocation.Freed())
                      : Optional.of(new Revocation.Marked(left)));
    }
    Duration lasts = session.get().ttl().plus(sessions.settings(sender).maxClockStep());
    return stays.begin(sender, lock, holder, Reason.REVOKED, lasts).map(Revocation.Marked::new);
  }

  private static Optional<LockDocument> find(CommandSender sender, Observed observed) {
    return sender
        .find(
            CollectionRole.LOCKS,
            LockCommands.byName(observed.name()),
            LockCommands.QUEUE,
            "_id",
            1)
        .stream()
        .map(document -> LockDocument.read(document, sender.describe()))
        .findFirst();
  }
}
