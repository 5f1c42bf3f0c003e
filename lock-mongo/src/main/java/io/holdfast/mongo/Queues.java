package io.holdfast.mongo;

import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.mongo.SessionDocument.Known;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;

/** The verbs that change a lock's queue. Each is decided by one change of the lock's document. */
final class Queues {

  /** How often a step is tried of which the condition was met a moment before and not any more. */
  private static final int ROUNDS_MAX = 10;

  private final Sessions sessions;
  private final OwnSessions own;
  private final FirstGrants firstGrants;
  private final Heads heads;
  private final int maxWaiters;

  Queues(Sessions sessions, OwnSessions own, FirstGrants firstGrants, Heads heads, int maxWaiters) {
    this.sessions = sessions;
    this.own = own;
    this.firstGrants = firstGrants;
    this.heads = heads;
    this.maxWaiters = maxWaiters;
  }

  Attempt grab(Call call, Request request) {
    request.requireExclusive(call.describe());
    SessionId mine = request.id().session();
    if (!own.isKnownToLive(mine) && !isAlive(call, mine)) {
      return new Attempt.SessionOver();
    }
    for (int left = ROUNDS_MAX; left > 0; left--) {
      Optional<LockDocument> taken =
          call.changeOrMake(
                  Part.LOCKS,
                  LockCommands.free(request.name()),
                  LockCommands.grab(request, firstGrants.base()))
              .map(document -> read(call, document));
      if (taken.isPresent()) {
        return granted(call, taken.get(), request.id(), Contention.NOBODY_WAITS);
      }
      if (request.ifHeld() == IfHeld.QUEUE
          && call.change(
                  Part.LOCKS,
                  LockCommands.joinable(request, maxWaiters),
                  LockCommands.join(request))
              .isPresent()) {
        return new Attempt.Queued();
      }
      Optional<LockDocument> seen = find(call, request.name());
      Attempt answer = answer(call, request, seen, known(call, request, seen));
      if (!(answer instanceof Attempt.Refused)) {
        return answer;
      }
      boolean isHeld = seen.filter(lock -> !lock.isFree()).isPresent();
      if (isHeld && request.ifHeld() == IfHeld.REFUSE) {
        return answer;
      }
      if (isHeld && seen.get().waiting() >= maxWaiters) {
        return new Attempt.QueueFull("maxWaiters=" + maxWaiters);
      }
      // What was refused a moment ago would not be now.
    }
    throw contended(call, request.name());
  }

  Attempt overtake(Call call, Request request, Observed head) {
    request.requireExclusive(call.describe());
    boolean confirmed = false;
    for (int left = ROUNDS_MAX; left > 0; left--) {
      Optional<LockDocument> seen = find(call, request.name());
      Known known = known(call, request, seen);
      boolean overtakes =
          !request.id().equals(head.request())
              && seen.filter(lock -> lock.isAsObserved(head)).isPresent()
              && known.of(request.id()) != null
              && heads.mayBeOvertaken(call, seen.get(), known);
      if (!overtakes && !confirmed && !isThere(request, seen)) {
        LockDocument unused = firstGrants.confirmed(call, request.name());
        confirmed = true;
        continue; // Its place in the queue must not be forgotten because of an old state.
      }
      if (!overtakes) {
        return answer(call, request, seen, known);
      }
      Optional<LockDocument> after = removeHead(call, request, seen.get());
      if (after.isPresent()) {
        return answer(
            call,
            request,
            after,
            after.get().isHeldBy(request.id()) ? known : known(call, request, after));
      }
    }
    throw contended(call, request.name());
  }

  private static boolean isThere(Request request, Optional<LockDocument> seen) {
    return seen.filter(lock -> lock.position(request.id()) >= 0).isPresent();
  }

  /** Which of the two steps it is must not be decided by what somebody else does meanwhile. */
  private Optional<LockDocument> removeHead(Call call, Request request, LockDocument seen) {
    Optional<Long> least = firstGrants.leastBase(call, seen);
    Optional<BsonDocument> after =
        seen.queue().size() == 1
            ? call.change(
                Part.LOCKS,
                LockCommands.heldWithoutWaiters(seen),
                LockCommands.replaceHead(request, least))
            : call.change(
                Part.LOCKS,
                LockCommands.heldWithWaiters(seen),
                LockCommands.headLeaves(least, LockCommands.FIELDS));
    return after.map(document -> read(call, document));
  }

  /** Looks at the sessions of a request and of the head, after the lock. */
  private Known known(Call call, Request request, Optional<LockDocument> seen) {
    Set<SessionId> ids = new LinkedHashSet<>(List.of(request.id().session()));
    seen.flatMap(LockDocument::head).ifPresent(head -> ids.add(head.session()));
    return sessions.known(call, ids);
  }

  /** How a request stands after an attempt. */
  private Attempt answer(Call call, Request request, Optional<LockDocument> seen, Known known) {
    if (known.of(request.id()) == null) {
      return new Attempt.SessionOver();
    }
    if (seen.isEmpty()) {
      return new Attempt.Refused(LockRecord.unknown(request.name()), Optional.empty());
    }
    LockDocument lock = seen.get();
    return switch (lock.position(request.id())) {
      case -1 -> {
        heads.restampDoubtful(call, lock, known);
        yield new Attempt.Refused(
            Heads.record(lock, known, call.describe()),
            lock.head().flatMap(head -> Heads.dueIn(lock, head, known)));
      }
      case 0 -> granted(call, lock, request.id(), lock.contention());
      default -> new Attempt.Queued();
    };
  }

  private Attempt granted(Call call, LockDocument lock, RequestId request, Contention contention) {
    LockDocument usable = firstGrants.usable(call, lock, request);
    return new Attempt.Granted(usable.number(), usable.since(), contention);
  }

  private boolean isAlive(Call call, SessionId session) {
    return !sessions.known(call, List.of(session)).alive().isEmpty();
  }

  Released release(Call call, LockName name, RequestId request) {
    if (own.isKnownToHold(request)) {
      Optional<Released> left = leave(call, LockCommands.heldBy(name, request), Optional.empty());
      own.left(request);
      if (left.isPresent()) {
        return left.get();
      }
    }
    for (int left = ROUNDS_MAX; left > 0; left--) {
      if (call.change(
              Part.LOCKS, LockCommands.waiting(name, request), LockCommands.waiterLeaves(request))
          .isPresent()) {
        return Released.WAS_WAITING;
      }
      // Not a mere reading: an old primary may not know yet that the request is there.
      LockDocument seen = firstGrants.confirmed(call, name);
      if (seen.position(request) < 0) {
        return Released.NOTHING;
      }
      if (seen.isHeldBy(request)) {
        Optional<Released> released =
            leave(call, LockCommands.held(seen), firstGrants.leastBase(call, seen));
        if (released.isPresent()) {
          return released.get();
        }
      }
    }
    throw contended(call, name);
  }

  private static Optional<Released> leave(Call call, BsonDocument held, Optional<Long> leastBase) {
    return call.change(Part.LOCKS, held, LockCommands.headLeaves(leastBase, LockCommands.HEAD))
        .map(after -> read(call, after).isFree() ? Released.FREED : Released.HANDED_ON);
  }

  private static Optional<LockDocument> find(Call call, LockName name) {
    return call.find(Part.LOCKS, LockCommands.byName(name), LockCommands.FIELDS, "_id", 1).stream()
        .map(document -> read(call, document))
        .findFirst();
  }

  private static LockDocument read(Call call, BsonDocument document) {
    return LockDocument.read(document, call.describe());
  }

  private static BackendFailure contended(Call call, LockName name) {
    return new BackendFailure(
        call.effect(),
        "Lock %s at %s changed under every attempt to change it.".formatted(name, call.describe()),
        null);
  }
}
