package io.holdfast.mongo;

import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Observed;
import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;

/** Revokes grants: first the holder's session is marked, then the lock's record. */
final class Revocations {

  private final Sessions sessions;
  private final FirstGrants firstGrants;
  private final Heads heads;

  Revocations(Sessions sessions, FirstGrants firstGrants, Heads heads) {
    this.sessions = sessions;
    this.firstGrants = firstGrants;
    this.heads = heads;
  }

  Revocation revoke(Call call, Observed head, RevokeWhen when) {
    Optional<LockDocument> seen = asObserved(call, head);
    if (seen.isEmpty()) {
      return new Revocation.Changed();
    }
    notifyHolder(call, head.request());
    return switch (when) {
      case SAFELY -> mark(call, head, seen.get());
      case NOW -> evict(call, seen.get());
    };
  }

  private void notifyHolder(Call call, RequestId request) {
    SessionId holder = request.session();
    Optional<BsonDocument> notified =
        call.change(
            Part.SESSIONS,
            SessionCommands.judgeable(holder),
            SessionCommands.notifyRevoked(request));
    if (notified.isEmpty() && !sessions.isOver(call, holder)) {
      throw new BackendFailure(
          call.effect(),
          "%s answered the revocation of %s from an old state. Is its primary cut off?"
              .formatted(call.describe(), request),
          null);
    }
  }

  private Revocation mark(Call call, Observed head, LockDocument seen) {
    // The first mark counts: revoking again does not begin another wait.
    call.change(
        Part.LOCKS,
        LockCommands.heldAndNotRevoked(seen),
        LockCommands.revoke(call.incarnationToWrite()));
    Optional<LockDocument> marked = asObserved(call, head);
    Optional<Duration> remaining = marked.flatMap(lock -> heads.revocation(call, lock));
    if (remaining.filter(Duration::isZero).isPresent()) {
      return evict(call, marked.orElseThrow());
    }
    return remaining.<Revocation>map(Revocation.Marked::new).orElseGet(Revocation.Changed::new);
  }

  private Revocation evict(Call call, LockDocument seen) {
    Optional<BsonDocument> after =
        call.change(
            Part.LOCKS,
            LockCommands.held(seen),
            LockCommands.headLeaves(firstGrants.leastBase(call, seen), LockCommands.HEAD));
    return after.isPresent() ? new Revocation.Freed() : new Revocation.Changed();
  }

  private static Optional<LockDocument> asObserved(Call call, Observed head) {
    return call
        .find(Part.LOCKS, LockCommands.byName(head.name()), LockCommands.REQUESTS, "_id", 1)
        .stream()
        .map(document -> LockDocument.read(document, call.describe()))
        .filter(lock -> lock.isAsObserved(head))
        .findFirst();
  }
}
