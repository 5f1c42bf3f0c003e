package io.holdfast.mongo.queue;

import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.session.LiveSessions;
import io.holdfast.mongo.session.OwnSessions;
import io.holdfast.mongo.session.Sessions;
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
public final class QueueWriter {

  /** How often a step is tried again if its condition was met a moment ago and is not any more. */
  private static final int ROUNDS_MAX = 10;

  private final Sessions sessions;
  private final OwnSessions own;
  private final FirstGrants firstGrants;
  private final HeadCheck headCheck;
  private final int maxWaiters;

  public QueueWriter(
      Sessions sessions,
      OwnSessions own,
      FirstGrants firstGrants,
      HeadCheck headCheck,
      int maxWaiters) {
    this.sessions = sessions;
    this.own = own;
    this.firstGrants = firstGrants;
    this.headCheck = headCheck;
    this.maxWaiters = maxWaiters;
  }

  public Attempt grab(CommandSender sender, Request request) {
    request.requireExclusive(sender.describe());
    SessionId mine = request.id().session();
    if (!own.isKnownAlive(mine) && !isAlive(sender, mine)) {
      return new Attempt.SessionOver();
    }
    for (int left = ROUNDS_MAX; left > 0; left--) {
      Optional<LockDocument> taken =
          sender
              .changeOrMake(
                  CollectionRole.LOCKS,
                  LockCommands.free(request.name()),
                  LockCommands.grab(request, firstGrants.base()))
              .map(document -> read(sender, document));
      if (taken.isPresent()) {
        return granted(sender, taken.get(), request.id(), Contention.NOBODY_WAITS);
      }
      if (request.ifHeld() == IfHeld.QUEUE
          && sender
              .change(
                  CollectionRole.LOCKS,
                  LockCommands.joinable(request, maxWaiters),
                  LockCommands.join(request))
              .isPresent()) {
        return new Attempt.Queued();
      }
      Optional<LockDocument> snapshot = find(sender, request.name());
      Attempt answer = answer(sender, request, snapshot, live(sender, request, snapshot));
      if (!(answer instanceof Attempt.Refused)) {
        return answer;
      }
      boolean isHeld = snapshot.filter(lock -> !lock.isFree()).isPresent();
      if (isHeld && request.ifHeld() == IfHeld.REFUSE) {
        return answer;
      }
      if (isHeld && snapshot.get().waiting() >= maxWaiters) {
        return new Attempt.QueueFull("maxWaiters=" + maxWaiters);
      }
      // The lock has changed since the refusal, so try again.
    }
    throw contended(sender, request.name());
  }

  public Attempt overtake(CommandSender sender, Request request, Observed head) {
    request.requireExclusive(sender.describe());
    boolean confirmed = false;
    for (int left = ROUNDS_MAX; left > 0; left--) {
      Optional<LockDocument> snapshot = find(sender, request.name());
      LiveSessions live = live(sender, request, snapshot);
      boolean overtakes =
          !request.id().equals(head.request())
              && snapshot.filter(lock -> lock.isAsObserved(head)).isPresent()
              && live.of(request.id()) != null
              && headCheck.mayBeOvertaken(sender, snapshot.get(), live);
      if (!overtakes && !confirmed && !isThere(request, snapshot)) {
        LockDocument unused = firstGrants.confirmed(sender, request.name());
        confirmed = true;
        continue; // The old state of a replaced primary must not hide its place in the queue.
      }
      if (!overtakes) {
        return answer(sender, request, snapshot, live);
      }
      Optional<LockDocument> after = removeHead(sender, request, snapshot.get());
      if (after.isPresent()) {
        return answer(
            sender,
            request,
            after,
            after.get().isHeldBy(request.id()) ? live : live(sender, request, after));
      }
    }
    throw contended(sender, request.name());
  }

  private static boolean isThere(Request request, Optional<LockDocument> snapshot) {
    return snapshot.filter(lock -> lock.position(request.id()) >= 0).isPresent();
  }

  /**
   * Removes the head in one of two steps. Each is conditional on the queue as read, so another
   * client's change meanwhile makes it fail.
   */
  private Optional<LockDocument> removeHead(
      CommandSender sender, Request request, LockDocument snapshot) {
    Optional<Long> least = firstGrants.leastBase(sender, snapshot);
    Optional<BsonDocument> after =
        snapshot.queue().size() == 1
            ? sender.change(
                CollectionRole.LOCKS,
                LockCommands.heldWithoutWaiters(snapshot),
                LockCommands.replaceHead(request, least))
            : sender.change(
                CollectionRole.LOCKS,
                LockCommands.heldWithWaiters(snapshot),
                LockCommands.headLeaves(least, LockCommands.FIELDS));
    return after.map(document -> read(sender, document));
  }

  /** Reads the sessions of a request and of the head; must be read after the lock. */
  private LiveSessions live(
      CommandSender sender, Request request, Optional<LockDocument> snapshot) {
    Set<SessionId> ids = new LinkedHashSet<>(List.of(request.id().session()));
    snapshot.flatMap(LockDocument::head).ifPresent(head -> ids.add(head.session()));
    return sessions.readLive(sender, ids);
  }

  /** Returns how a request stands after an attempt. */
  private Attempt answer(
      CommandSender sender, Request request, Optional<LockDocument> snapshot, LiveSessions live) {
    if (live.of(request.id()) == null) {
      return new Attempt.SessionOver();
    }
    if (snapshot.isEmpty()) {
      return new Attempt.Refused(LockRecord.unknown(request.name()), Optional.empty());
    }
    LockDocument lock = snapshot.get();
    return switch (lock.position(request.id())) {
      case -1 -> {
        headCheck.restampDoubtful(sender, lock, live);
        yield new Attempt.Refused(
            HeadCheck.record(lock, live, sender.describe()),
            lock.head().flatMap(head -> HeadCheck.dueIn(lock, head, live)));
      }
      case 0 -> granted(sender, lock, request.id(), lock.contention());
      default -> new Attempt.Queued();
    };
  }

  private Attempt granted(
      CommandSender sender, LockDocument lock, RequestId request, Contention contention) {
    LockDocument usable = firstGrants.usable(sender, lock, request);
    return new Attempt.Granted(usable.number(), usable.since(), contention);
  }

  private boolean isAlive(CommandSender sender, SessionId session) {
    return !sessions.readLive(sender, List.of(session)).alive().isEmpty();
  }

  public Released release(CommandSender sender, LockName name, RequestId request) {
    if (own.isKnownToHold(request)) {
      Optional<Released> left = leave(sender, LockCommands.heldBy(name, request), Optional.empty());
      own.markReleased(request);
      if (left.isPresent()) {
        return left.get();
      }
    }
    for (int left = ROUNDS_MAX; left > 0; left--) {
      if (sender
          .change(
              CollectionRole.LOCKS,
              LockCommands.waiting(name, request),
              LockCommands.waiterLeaves(request))
          .isPresent()) {
        return Released.WAS_WAITING;
      }
      // A write, not a read: an old primary may not have the request yet.
      LockDocument snapshot = firstGrants.confirmed(sender, name);
      if (snapshot.position(request) < 0) {
        return Released.NOTHING;
      }
      if (snapshot.isHeldBy(request)) {
        Optional<Released> released =
            leave(sender, LockCommands.held(snapshot), firstGrants.leastBase(sender, snapshot));
        if (released.isPresent()) {
          return released.get();
        }
      }
    }
    throw contended(sender, name);
  }

  private static Optional<Released> leave(
      CommandSender sender, BsonDocument held, Optional<Long> leastBase) {
    return sender
        .change(CollectionRole.LOCKS, held, LockCommands.headLeaves(leastBase, LockCommands.HEAD))
        .map(after -> read(sender, after).isFree() ? Released.FREED : Released.HANDED_ON);
  }

  private static Optional<LockDocument> find(CommandSender sender, LockName name) {
    return sender
        .find(CollectionRole.LOCKS, LockCommands.byName(name), LockCommands.FIELDS, "_id", 1)
        .stream()
        .map(document -> read(sender, document))
        .findFirst();
  }

  private static LockDocument read(CommandSender sender, BsonDocument document) {
    return LockDocument.read(document, sender.describe());
  }

  private static BackendFailure contended(CommandSender sender, LockName name) {
    return new BackendFailure(
        sender.effect(),
        "Lock %s at %s was changed by other clients during every attempt to change it."
            .formatted(name, sender.describe()),
        null);
  }
}
