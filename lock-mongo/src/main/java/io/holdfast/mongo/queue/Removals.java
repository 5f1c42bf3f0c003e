package io.holdfast.mongo.queue;

import io.holdfast.SessionId;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Update;
import io.holdfast.mongo.queue.StoredStay.Kind;
import io.holdfast.mongo.session.LiveSessions;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Request;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * Removes holders that do not count any more. Each removal is conditional on the holder being as it
 * was read, and on its place at that moment, so another client's change meanwhile makes it fail.
 */
public final class Removals {

  private final Sessions sessions;
  private final FirstGrants firstGrants;
  private final Stays stays;

  public Removals(Sessions sessions, FirstGrants firstGrants, Stays stays) {
    this.sessions = sessions;
    this.firstGrants = firstGrants;
    this.stays = stays;
  }

  /** Whether a holder may be removed by others. */
  public enum Due {
    /** It may be. */
    NOW,
    /** It counts. */
    NOT_YET,
    /** The lock has changed. */
    LOOK_AGAIN
  }

  /**
   * Returns whether a holder may be removed: its stay is over, or its session is over for good and
   * it does not stay. The first time that it could be, its lock-delay begins if it has one.
   */
  Due due(CommandSender sender, LockView view, Entry holder) {
    LockDocument lock = view.lock();
    boolean isOver = view.live().of(holder.request()) == null;
    if (isOver && lock.hasDelayLeft(holder)) {
      stays.begin(sender, lock, holder, Kind.LOCK_DELAY, holder.lockDelay());
      return Due.LOOK_AGAIN;
    }
    Optional<StoredStay> stay = lock.stay(holder);
    if (isOver && stay.filter(each -> !each.isRevocation()).isEmpty()) {
      return Due.NOW;
    }
    if (stay.isEmpty()) {
      return Due.NOT_YET;
    }
    return stays
        .judge(sender, lock, holder)
        .map(judged -> judged.isOver() ? Due.NOW : Due.NOT_YET)
        .orElse(Due.LOOK_AGAIN);
  }

  /** A command that removes a holder. */
  public record Removal(BsonDocument filter, Update update) {}

  private Removal removal(
      CommandSender sender, LockDocument lock, Entry holder, BsonDocument reply) {
    RequestId request = holder.request();
    return lock.holders().size() > 1
        ? new Removal(
            LeaveCommands.notLastAsRead(lock, holder), LeaveCommands.leaves(request, reply))
        : new Removal(
            LeaveCommands.lastAsRead(lock, holder),
            LeaveCommands.lastLeaves(request, firstGrants.leastBase(sender, lock), reply));
  }

  /**
   * Removes a holder and returns the lock after that; empty if it has changed since it was read.
   */
  Optional<LockDocument> remove(CommandSender sender, LockDocument lock, Entry holder) {
    return send(sender, removal(sender, lock, holder, LockCommands.WHOLE));
  }

  /** Removes a holder as above; the request holds the lock then if there is no other. */
  Optional<LockDocument> remove(
      CommandSender sender, LockDocument lock, Entry holder, Request newcomer) {
    return lock.queue().size() > 1
        ? remove(sender, lock, holder)
        : send(
            sender,
            new Removal(
                LeaveCommands.aloneAsRead(lock, holder),
                LeaveCommands.replace(
                    holder.request(), newcomer, firstGrants.leastBase(sender, lock))));
  }

  private static Optional<LockDocument> send(CommandSender sender, Removal removal) {
    return sender
        .change(CollectionRole.LOCKS, removal.filter(), removal.update())
        .map(document -> LockDocument.read(document, sender.describe()));
  }

  /**
   * Returns those locks whose head has no session any more, or needs none. Requires the head of
   * each, and the next.
   */
  public List<LockDocument> withoutSession(CommandSender sender, List<LockDocument> locks) {
    return withoutSession(views(sender, locks)).map(LockView::lock).toList();
  }

  /** Returns the commands that remove the heads of those locks whose heads do not count. */
  public List<Removal> due(CommandSender sender, List<LockDocument> locks) {
    return withoutSession(views(sender, locks))
        .filter(view -> due(sender, view, view.head()) == Due.NOW)
        .map(view -> removal(sender, view.lock(), view.head(), LockCommands.HEAD))
        .toList();
  }

  private static Stream<LockView> withoutSession(List<LockView> views) {
    return views.stream().filter(view -> view.isWithoutSession(view.head()));
  }

  private List<LockView> views(CommandSender sender, List<LockDocument> locks) {
    Set<SessionId> holders = new LinkedHashSet<>();
    locks.forEach(lock -> holders.add(lock.queue().get(0).request().session()));
    if (holders.isEmpty()) {
      return List.of();
    }
    LiveSessions live = sessions.readLive(sender, holders);
    return locks.stream().map(lock -> new LockView(lock, live)).toList();
  }
}
