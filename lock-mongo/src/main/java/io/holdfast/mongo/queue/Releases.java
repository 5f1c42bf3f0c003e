package io.holdfast.mongo.queue;

import io.holdfast.LockName;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Update;
import io.holdfast.mongo.queue.StoredStay.Kind;
import io.holdfast.mongo.session.OwnSessions;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;

/**
 * The verbs by which a request gives up what it has. A request that this client knows to hold needs
 * no look first. Otherwise the request is looked for by a write, because an old primary may not
 * have it yet.
 */
public final class Releases {

  private final Sessions sessions;
  private final OwnSessions own;
  private final FirstGrants firstGrants;
  private final Stays stays;

  public Releases(Sessions sessions, OwnSessions own, FirstGrants firstGrants, Stays stays) {
    this.sessions = sessions;
    this.own = own;
    this.firstGrants = firstGrants;
    this.stays = stays;
  }

  public Released release(CommandSender sender, LockName name, RequestId request) {
    Optional<Released> left =
        own.isKnownToHold(request)
            ? holderLeaves(sender, name, request, Optional.empty())
            : exclusiveWaiterLeaves(sender, name, request);
    own.markReleased(request);
    for (int rounds = QueueWriter.ROUNDS_MAX; rounds > 0 && left.isEmpty(); rounds--) {
      LockDocument snapshot = firstGrants.confirmed(sender, name);
      int position = snapshot.position(request);
      if (position < 0) {
        return Released.NOTHING;
      }
      left =
          snapshot.isHeldBy(request)
              ? foundHolderLeaves(sender, snapshot, snapshot.queue().get(position))
              : waiterLeaves(sender, snapshot, snapshot.queue().get(position));
    }
    return left.orElseThrow(() -> QueueWriter.contended(sender, name));
  }

  /** Gives a lock back that stays taken; what was revoked, or only waits, leaves at once. */
  public Released releaseAfter(CommandSender sender, RequestKey key, Duration stay) {
    RequestId request = key.request();
    if (own.isKnownToHold(request) && stays.buryHead(sender, key, stay)) {
      own.markReleased(request);
      return Released.STAYS;
    }
    for (int left = QueueWriter.ROUNDS_MAX; left > 0; left--) {
      LockDocument snapshot = firstGrants.confirmed(sender, key.name());
      if (snapshot.isGivenBack(request)) {
        own.markReleased(request);
        return Released.STAYS;
      }
      Optional<Entry> holder = snapshot.holder(request);
      if (holder.flatMap(snapshot::stay).map(StoredStay::isRevocation).orElse(holder.isEmpty())) {
        return release(sender, key.name(), request);
      }
      if (stays.begin(sender, snapshot, holder.get(), Kind.AT_LEAST, stay).isPresent()) {
        own.markReleased(request);
        return Released.STAYS;
      }
    }
    throw QueueWriter.contended(sender, key.name());
  }

  /**
   * Another client may release a request that it has seen waiting for an ended session. If that has
   * come to hold the lock before its session ended, its client may have known, and it has its
   * lock-delay.
   */
  private Optional<Released> foundHolderLeaves(
      CommandSender sender, LockDocument snapshot, Entry holder) {
    RequestId request = holder.request();
    if (own.isKnownAlive(request.session())) {
      return holderLeaves(sender, snapshot, request);
    }
    if (snapshot.isInDelay(holder)) {
      return Optional.of(Released.STAYS);
    }
    return snapshot.hasDelayLeft(holder) && sessions.isOver(sender, request.session())
        ? stays
            .begin(sender, snapshot, holder, Kind.LOCK_DELAY, holder.lockDelay())
            .map(left -> Released.STAYS)
        : holderLeaves(sender, snapshot, request);
  }

  private Optional<Released> holderLeaves(
      CommandSender sender, LockDocument snapshot, RequestId request) {
    return holderLeaves(sender, snapshot.name(), request, firstGrants.leastBase(sender, snapshot));
  }

  /** Tries to remove a holder, first as the last one, and then as one that leaves others behind. */
  private static Optional<Released> holderLeaves(
      CommandSender sender, LockName name, RequestId request, Optional<Long> leastBase) {
    return change(
            sender,
            LeaveCommands.lastHolder(name, request),
            LeaveCommands.lastLeaves(request, leastBase, LockCommands.HEAD))
        .map(after -> after.isFree() ? Released.FREED : Released.HANDED_ON)
        .or(
            () ->
                change(
                        sender,
                        LeaveCommands.notLastHolder(name, request),
                        LeaveCommands.leaves(request, LockCommands.HEAD))
                    .map(after -> Released.SHARED));
  }

  private static Optional<Released> exclusiveWaiterLeaves(
      CommandSender sender, LockName name, RequestId request) {
    return change(
            sender,
            LeaveCommands.waitingExclusively(name, request),
            LeaveCommands.exclusiveWaiterLeaves(request))
        .map(after -> Released.WAS_WAITING);
  }

  private static Optional<Released> waiterLeaves(
      CommandSender sender, LockDocument snapshot, Entry waiter) {
    RequestId request = waiter.request();
    return waiter.isShared()
        ? change(
                sender,
                LeaveCommands.waitingAsRead(snapshot, request),
                LeaveCommands.leaves(request, LockCommands.HEAD))
            .map(after -> Released.WAS_WAITING)
        : exclusiveWaiterLeaves(sender, snapshot.name(), request);
  }

  public OptionalLong downgrade(CommandSender sender, RequestKey key) {
    RequestId request = key.request();
    BsonDocument exclusive = LockCommands.exclusiveHolder(key.name(), request);
    Optional<LockDocument> shared =
        own.isKnownToHold(request)
            ? change(sender, exclusive, LockCommands.downgrade(Optional.empty()))
            : Optional.empty();
    for (int left = QueueWriter.ROUNDS_MAX; left > 0 && shared.isEmpty(); left--) {
      LockDocument snapshot = firstGrants.confirmed(sender, key.name());
      if (!snapshot.isHeldBy(request)) {
        return OptionalLong.empty();
      }
      shared =
          snapshot.isShared()
              ? Optional.of(firstGrants.usable(sender, snapshot, request))
              : change(
                  sender,
                  exclusive,
                  LockCommands.downgrade(firstGrants.leastBase(sender, snapshot)));
    }
    return OptionalLong.of(
        shared.orElseThrow(() -> QueueWriter.contended(sender, key.name())).number());
  }

  private static Optional<LockDocument> change(
      CommandSender sender, BsonDocument filter, Update update) {
    return sender
        .change(CollectionRole.LOCKS, filter, update)
        .map(document -> LockDocument.read(document, sender.describe()));
  }
}
