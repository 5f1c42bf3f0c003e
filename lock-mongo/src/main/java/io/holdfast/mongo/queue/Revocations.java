package io.holdfast.mongo.queue;

import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.session.SessionCommands;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Observed;
import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;

/** Revokes grants: first the holder's session is marked, then the lock's record. */
public final class Revocations {

  private final Sessions sessions;
  private final FirstGrants firstGrants;
  private final HeadCheck headCheck;

  public Revocations(Sessions sessions, FirstGrants firstGrants, HeadCheck headCheck) {
    this.sessions = sessions;
    this.firstGrants = firstGrants;
    this.headCheck = headCheck;
  }

  public Revocation revoke(CommandSender sender, Observed head, RevokeWhen when) {
    Optional<LockDocument> snapshot = asObserved(sender, head);
    if (snapshot.isEmpty()) {
      return new Revocation.Changed();
    }
    notifyHolder(sender, head.request());
    return switch (when) {
      case SAFELY -> mark(sender, head, snapshot.get());
      case NOW -> evict(sender, snapshot.get());
    };
  }

  private void notifyHolder(CommandSender sender, RequestId request) {
    SessionId holder = request.session();
    Optional<BsonDocument> notified =
        sender.change(
            CollectionRole.SESSIONS,
            SessionCommands.judgeable(holder),
            SessionCommands.notifyRevoked(request));
    if (notified.isEmpty() && !sessions.isOver(sender, holder)) {
      throw new BackendFailure(
          sender.effect(),
          "%s answered the revocation of %s from an old state. Is its primary cut off?"
              .formatted(sender.describe(), request),
          null);
    }
  }

  private Revocation mark(CommandSender sender, Observed head, LockDocument snapshot) {
    // The first mark counts: a second revocation does not restart the wait.
    sender.change(
        CollectionRole.LOCKS,
        LockCommands.heldAndNotRevoked(snapshot),
        LockCommands.revoke(sender.incarnationToWrite()));
    Optional<LockDocument> marked = asObserved(sender, head);
    Optional<Duration> remaining = marked.flatMap(lock -> headCheck.revocation(sender, lock));
    if (remaining.filter(Duration::isZero).isPresent()) {
      return evict(sender, marked.orElseThrow());
    }
    return remaining.<Revocation>map(Revocation.Marked::new).orElseGet(Revocation.Changed::new);
  }

  private Revocation evict(CommandSender sender, LockDocument snapshot) {
    Optional<BsonDocument> after =
        sender.change(
            CollectionRole.LOCKS,
            LockCommands.held(snapshot),
            LockCommands.headLeaves(firstGrants.leastBase(sender, snapshot), LockCommands.HEAD));
    return after.isPresent() ? new Revocation.Freed() : new Revocation.Changed();
  }

  private static Optional<LockDocument> asObserved(CommandSender sender, Observed head) {
    return sender
        .find(
            CollectionRole.LOCKS, LockCommands.byName(head.name()), LockCommands.REQUESTS, "_id", 1)
        .stream()
        .map(document -> LockDocument.read(document, sender.describe()))
        .filter(lock -> lock.isAsObserved(head))
        .findFirst();
  }
}
