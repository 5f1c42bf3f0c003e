package io.holdfast.mongo;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import io.holdfast.SessionId;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.mongo.SessionDocument.Known;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonDocument;

/**
 * Deletes what nobody needs any more, a bounded number of documents at a time, each on the
 * condition that it still is what was seen. Not by a TTL index, which knows nothing but a time.
 */
final class Sweep {

  private static final int MOST = 500;

  /** Those that are held by the living are looked at in vain each time. */
  private static final int HELD_MOST = 5_000;

  private final Namespace namespace;
  private final Sessions sessions;
  private final FirstGrants firstGrants;
  private final Duration idle;

  Sweep(Namespace namespace, Sessions sessions, FirstGrants firstGrants, Duration idle) {
    this.namespace = namespace;
    this.sessions = sessions;
    this.firstGrants = firstGrants;
    this.idle = idle;
  }

  int run(Call call) {
    Optional<Instant> now = namespace.beginSweep(call);
    return now.isEmpty()
        ? 0
        : restampAhead(call, now.get())
            + sweepSessions(call, now.get().minus(idle))
            + sweepLocks(call, now.get().minus(idle));
  }

  /**
   * What was written by a clock that was ahead is given the present time, and deleted when it is as
   * old as others by that.
   */
  private int restampAhead(Call call, Instant now) {
    List<WriteModel<BsonDocument>> ofSessions = new ArrayList<>();
    sessions(call, SessionCommands.touchedAfter(now.toEpochMilli()))
        .forEach(
            document ->
                ofSessions.add(
                    new UpdateOneModel<>(
                        SessionCommands.asSeen(document),
                        SessionCommands.restamp(SessionDocument.isOver(document)).operators())));
    List<WriteModel<BsonDocument>> ofLocks = new ArrayList<>();
    BsonDocument restamp = LockCommands.restamp().operators();
    find(call, LockCommands.freeAfter(now), MOST)
        .forEach(lock -> ofLocks.add(new UpdateOneModel<>(LockCommands.deletable(lock), restamp)));
    orphans(call, find(call, LockCommands.heldAfter(now), HELD_MOST))
        .forEach(lock -> ofLocks.add(new UpdateOneModel<>(LockCommands.held(lock), restamp)));
    return call.bulk(Part.SESSIONS, ofSessions) + call.bulk(Part.LOCKS, ofLocks);
  }

  private static List<BsonDocument> sessions(Call call, BsonDocument filter) {
    return call.find(Part.SESSIONS, filter, SessionCommands.FIELDS, "_id", MOST);
  }

  /** What has lapsed is ended, and deleted when it has been over for as long again. */
  private int sweepSessions(Call call, Instant before) {
    // No lease is longer, so what was last renewed then has lapsed by that time.
    Instant renewedBefore = before.minus(namespace.settings(call).maxTtl());
    List<WriteModel<BsonDocument>> writes = new ArrayList<>();
    sessions(call, SessionCommands.untouchedSince(renewedBefore.toEpochMilli()))
        .forEach(
            document ->
                writes.add(
                    SessionDocument.isOver(document)
                        ? new DeleteOneModel<>(SessionCommands.asSeen(document))
                        : new UpdateOneModel<>(
                            SessionCommands.asSeen(document),
                            SessionCommands.expire().operators())));
    return call.bulk(Part.SESSIONS, writes);
  }

  private int sweepLocks(Call call, Instant before) {
    List<WriteModel<BsonDocument>> writes = new ArrayList<>();
    for (LockDocument lock : orphans(call, find(call, LockCommands.heldSince(before), HELD_MOST))) {
      Optional<Long> least = firstGrants.leastBase(call, lock);
      BsonDocument leaves = LockCommands.headLeaves(least, LockCommands.HEAD).operators();
      writes.add(new UpdateOneModel<>(LockCommands.held(lock), leaves));
    }
    // A record is made with the time as its maker believes it to be, or with the floor if that is
    // higher: one that the clock has not passed by a day is not certain to be below both.
    List<LockDocument> free =
        find(call, LockCommands.freeSince(before), MOST).stream()
            .filter(lock -> lock.number() < StoreClock.micros(before))
            .toList();
    OptionalLong highest = free.stream().mapToLong(LockDocument::number).max();
    if (highest.isPresent()) {
      namespace.raiseFloor(call, highest.getAsLong());
    }
    free.forEach(lock -> writes.add(new DeleteOneModel<>(LockCommands.deletable(lock))));
    return call.bulk(Part.LOCKS, writes);
  }

  private static List<LockDocument> find(Call call, BsonDocument filter, int most) {
    return call.find(Part.LOCKS, filter, LockCommands.HEAD, "since", most).stream()
        .map(document -> LockDocument.read(document, call.describe()))
        .toList();
  }

  /** Locks whose holder is over and that nobody has asked for since: they are free from now on. */
  private List<LockDocument> orphans(Call call, List<LockDocument> locks) {
    Set<SessionId> holders = new LinkedHashSet<>();
    locks.forEach(lock -> lock.head().ifPresent(head -> holders.add(head.session())));
    if (holders.isEmpty()) {
      return List.of();
    }
    Known known = sessions.known(call, holders);
    return locks.stream()
        .filter(lock -> lock.head().filter(head -> known.of(head) == null).isPresent())
        .toList();
  }
}
