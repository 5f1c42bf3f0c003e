package io.holdfast.mongo.queue;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Update;
import io.holdfast.mongo.queue.Removals.Due;
import io.holdfast.mongo.session.LiveSessions;
import io.holdfast.mongo.session.OwnSessions;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;

/** The verbs that take a lock. Each is decided by one change of the lock's document. */
public final class QueueWriter {

  /** How often a step is tried again if its condition was met a moment ago and is not any more. */
  static final int ROUNDS_MAX = 10;

  private final Sessions sessions;
  private final OwnSessions own;
  private final FirstGrants firstGrants;
  private final Stays stays;
  private final Removals removals;
  private final int maxWaiters;

  public QueueWriter(
      Sessions sessions,
      OwnSessions own,
      FirstGrants firstGrants,
      Stays stays,
      Removals removals,
      int maxWaiters) {
    this.sessions = sessions;
    this.own = own;
    this.firstGrants = firstGrants;
    this.stays = stays;
    this.removals = removals;
    this.maxWaiters = maxWaiters;
  }

  public Attempt grab(CommandSender sender, Request request) {
    SessionId mine = request.id().session();
    if (!own.isKnownAlive(mine) && !isAlive(sender, mine)) {
      return new Attempt.SessionOver();
    }
    BsonDocument joinable = LockCommands.joinable(request, maxWaiters);
    for (int left = ROUNDS_MAX; left > 0; left--) {
      Optional<LockDocument> taken = take(sender, request).or(() -> share(sender, request));
      if (taken.isPresent()) {
        return granted(sender, taken.get(), request, Contention.NOBODY_WAITS);
      }
      if (request.ifHeld() == IfHeld.QUEUE
          && change(sender, joinable, LockCommands.join(request)).isPresent()) {
        return new Attempt.Queued();
      }
      Optional<LockDocument> snapshot = find(sender, request.name());
      LiveSessions live = live(sender, request, snapshot);
      Attempt answer = answer(sender, request, snapshot, live);
      if (!(answer instanceof Attempt.Refused)) {
        return answer;
      }
      Optional<LockDocument> held = snapshot.filter(lock -> !isOpen(lock, request));
      if (held.isPresent()) {
        LockDocument lock = held.get();
        if (request.ifHeld() == IfHeld.REFUSE || lock.isGivenBack(request.id())) {
          return answer;
        }
        if (lock.waiters().size() >= maxWaiters) {
          return new Attempt.QueueFull("maxWaiters=" + maxWaiters);
        }
        if (lock.holders().size() >= LockDocument.HOLDERS_MAX && lock.waiters().isEmpty()) {
          return new Attempt.QueueFull(LockDocument.HOLDERS_MAX + " that hold it together");
        }
        if (lock.queue().size() > maxWaiters) {
          joinable = LockCommands.joinable(request, lock, maxWaiters);
        }
      }
      // The lock has changed since the refusal, or several hold it and there is room behind them.
    }
    throw contended(sender, request.name());
  }

  /** Returns whether a request would hold a lock at once. */
  private static boolean isOpen(LockDocument lock, Request request) {
    boolean mayShare =
        request.mode() == LockMode.SHARED
            && lock.isShared()
            && lock.waiters().isEmpty()
            && lock.holders().size() < LockDocument.HOLDERS_MAX;
    return lock.isFree() || mayShare;
  }

  private Optional<LockDocument> take(CommandSender sender, Request request) {
    return sender
        .changeOrMake(
            CollectionRole.LOCKS,
            LockCommands.free(request.name()),
            LockCommands.grab(request, firstGrants.base()))
        .map(document -> read(sender, document));
  }

  private static Optional<LockDocument> share(CommandSender sender, Request request) {
    return request.mode() == LockMode.SHARED
        ? change(sender, LockCommands.shareable(request), LockCommands.join(request))
        : Optional.empty();
  }

  public Attempt overtake(CommandSender sender, Request request, Observed observed) {
    boolean confirmed = false;
    for (int left = ROUNDS_MAX; left > 0; left--) {
      Optional<LockDocument> snapshot = find(sender, request.name());
      LiveSessions live = live(sender, request, snapshot);
      Optional<Entry> holder =
          request.id().equals(observed.request()) || live.of(request.id()) == null
              ? Optional.empty()
              : snapshot.flatMap(lock -> lock.asObserved(observed));
      Due due =
          holder
              .map(each -> removals.due(sender, new LockView(snapshot.orElseThrow(), live), each))
              .orElse(Due.NOT_YET);
      if (due == Due.NOW) {
        Optional<LockDocument> after =
            removals.remove(sender, snapshot.orElseThrow(), holder.orElseThrow(), request);
        if (after.isPresent()) {
          boolean holds = after.get().isHeldBy(request.id());
          return answer(sender, request, after, holds ? live : live(sender, request, after));
        }
      } else if (due == Due.NOT_YET && (confirmed || isThere(request, snapshot))) {
        return answer(sender, request, snapshot, live);
      } else if (due == Due.NOT_YET) {
        // The old state of a replaced primary must not hide its place in the queue.
        LockDocument unused = firstGrants.confirmed(sender, request.name());
        confirmed = true;
      }
    }
    throw contended(sender, request.name());
  }

  private static boolean isThere(Request request, Optional<LockDocument> snapshot) {
    return snapshot.filter(lock -> lock.position(request.id()) >= 0).isPresent();
  }

  /** Reads the sessions of a request and of the holders; must be read after the lock. */
  private LiveSessions live(
      CommandSender sender, Request request, Optional<LockDocument> snapshot) {
    Set<SessionId> ids = new LinkedHashSet<>(List.of(request.id().session()));
    snapshot
        .map(LockDocument::holders)
        .ifPresent(holders -> holders.forEach(holder -> ids.add(holder.request().session())));
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
    if (lock.isHeldBy(request.id())) {
      return granted(sender, lock, request, lock.contention());
    }
    if (lock.position(request.id()) >= 0) {
      return new Attempt.Queued();
    }
    LockView view = new LockView(lock, live);
    stays.restampDoubtful(sender, view, lock.holders());
    return new Attempt.Refused(view.record(sender.describe()), view.firstDueIn());
  }

  private Attempt granted(
      CommandSender sender, LockDocument lock, Request request, Contention contention) {
    LockDocument usable = firstGrants.usable(sender, lock, request.id());
    return new Attempt.Granted(usable.number(), usable.since(), contention);
  }

  private boolean isAlive(CommandSender sender, SessionId session) {
    return !sessions.readLive(sender, List.of(session)).alive().isEmpty();
  }

  private static Optional<LockDocument> find(CommandSender sender, LockName name) {
    return sender
        .find(CollectionRole.LOCKS, LockCommands.byName(name), LockCommands.WHOLE, "_id", 1)
        .stream()
        .map(document -> read(sender, document))
        .findFirst();
  }

  private static Optional<LockDocument> change(
      CommandSender sender, BsonDocument filter, Update update) {
    return sender
        .change(CollectionRole.LOCKS, filter, update)
        .map(document -> read(sender, document));
  }

  private static LockDocument read(CommandSender sender, BsonDocument document) {
    return LockDocument.read(document, sender.describe());
  }

  static BackendFailure contended(CommandSender sender, LockName name) {
    return new BackendFailure(
        sender.effect(),
        "Lock %s at %s was changed by other clients during every attempt to change it."
            .formatted(name, sender.describe()),
        null);
  }
}
