package io.holdfast.mongo;

import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.spi.Observed;
import java.util.Optional;
import org.bson.BsonDocument;

/** Revokes grants: first the holder's session is marked, then the lock's record. */
final class Revocations {

  private final FirstGrants firstGrants;
  private final Heads heads;

  Revocations(FirstGrants firstGrants, Heads heads) {
    this.firstGrants = firstGrants;
    this.heads = heads;
  }

  Revocation revoke(Call call, Observed head, RevokeWhen when) {
    Optional<LockDocument> seen = asObserved(call, head);
    if (seen.isEmpty()) {
      return new Revocation.Changed();
    }
    call.change(
        Part.SESSIONS,
        SessionCommands.judgeable(head.request().session()),
        SessionCommands.notifyRevoked(head.request()));
    return switch (when) {
      case SAFELY -> mark(call, head, seen.get());
      case NOW -> evict(call, seen.get());
    };
  }

  private Revocation mark(Call call, Observed head, LockDocument seen) {
    // The first mark counts: revoking again does not begin another wait.
    call.change(
        Part.LOCKS,
        LockCommands.heldAndNotRevoked(seen),
        LockCommands.revoke(call.incarnationToWrite()));
    return asObserved(call, head)
        .flatMap(marked -> heads.revocation(call, marked))
        .<Revocation>map(Revocation.Marked::new)
        .orElseGet(Revocation.Changed::new);
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
