package io.holdfast.mongo.queue;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.session.LiveSessions;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The verbs that read. They read what a majority has confirmed, which cannot be rolled back. */
public final class LockReader {

  /** How many locks one command reads. */
  private static final int BATCH = 500;

  /** How many of the requests nearest to the head are judged; the others can be judged later. */
  private static final int JUDGED_MAX = 32;

  private static final LiveSessions NOTHING =
      new LiveSessions(Map.of(), new ClockReading(Instant.EPOCH, Optional.empty(), Duration.ZERO));

  private final Sessions sessions;
  private final FirstGrants firstGrants;
  private final HeadCheck headCheck;

  public LockReader(Sessions sessions, FirstGrants firstGrants, HeadCheck headCheck) {
    this.sessions = sessions;
    this.firstGrants = firstGrants;
    this.headCheck = headCheck;
  }

  public List<Standing> look(CommandSender sender, SessionId session, List<RequestKey> requests) {
    List<Standing> answers = new ArrayList<>(requests.size());
    for (int from = 0; from < requests.size(); from += BATCH) {
      answers.addAll(
          lookBatch(
              sender, session, requests.subList(from, Math.min(from + BATCH, requests.size()))));
    }
    return answers;
  }

  private List<Standing> lookBatch(
      CommandSender sender, SessionId session, List<RequestKey> requests) {
    Map<LockName, LockDocument> locks = locks(sender, requests);
    Set<SessionId> ahead = new LinkedHashSet<>();
    for (RequestKey key : requests) {
      @Nullable LockDocument lock = locks.get(key.name());
      if (lock != null && lock.position(key.request()) >= 0) {
        ahead.add(session);
        ahead(lock, key.request()).forEach(request -> ahead.add(request.session()));
      }
    }
    // Read after the locks: a session that is over now was over when its request was read, or has
    // ended since. Both are final.
    LiveSessions live = live(sender, ahead);
    boolean isOver = !live.alive().containsKey(session.value());
    List<Standing> answers = new ArrayList<>(requests.size());
    for (RequestKey key : requests) {
      answers.add(
          isOver
              ? new Standing.Absent()
              : standing(sender, locks.get(key.name()), key.request(), live));
    }
    return answers;
  }

  private LiveSessions live(CommandSender sender, Collection<SessionId> ids) {
    return ids.isEmpty() ? NOTHING : sessions.readLive(sender, ids);
  }

  /**
   * Reads the locks. A newly elected primary may not know yet that a majority has confirmed an
   * earlier write. So the lock of each request that seems to be absent is read again by a write.
   */
  private Map<LockName, LockDocument> locks(CommandSender sender, List<RequestKey> requests) {
    Set<LockName> names = new LinkedHashSet<>();
    requests.forEach(key -> names.add(key.name()));
    Map<LockName, LockDocument> locks = new HashMap<>();
    sender
        .find(
            CollectionRole.LOCKS,
            LockCommands.byNames(names),
            LockCommands.REQUESTS,
            "_id",
            names.size())
        .stream()
        .map(document -> LockDocument.read(document, sender.describe()))
        .forEach(lock -> locks.put(lock.name(), lock));
    for (RequestKey key : requests) {
      @Nullable LockDocument lock = locks.get(key.name());
      if (lock == null || lock.position(key.request()) < 0) {
        locks.put(key.name(), firstGrants.confirmed(sender, key.name()));
      }
    }
    return locks;
  }

  /**
   * Returns the requests ahead of a request that are judged, in the queue's order: those nearest to
   * the head, and the one directly ahead.
   */
  private static List<RequestId> ahead(LockDocument lock, RequestId request) {
    List<RequestId> ahead = new ArrayList<>();
    int end = lock.position(request);
    for (int position = 0; position < Math.min(end, JUDGED_MAX); position++) {
      ahead.add(lock.request(position));
    }
    if (end > JUDGED_MAX) {
      ahead.add(lock.request(end - 1));
    }
    return ahead;
  }

  private Standing standing(
      CommandSender sender, @Nullable LockDocument lock, RequestId request, LiveSessions live) {
    int position = lock == null ? -1 : lock.position(request);
    if (lock == null || position < 0) {
      return new Standing.Absent();
    }
    if (position == 0) {
      LockDocument usable = firstGrants.usable(sender, lock, request);
      return new Standing.Holding(usable.number(), usable.since(), lock.contention());
    }
    headCheck.restampDoubtful(sender, lock, live);
    Observed head = new Observed(lock.name(), lock.number(), lock.head().orElseThrow());
    List<Obstacle> obstacles = new ArrayList<>();
    for (RequestId other : ahead(lock, request)) {
      Liveness liveness = HeadCheck.liveness(lock, other, live);
      if (liveness != Liveness.LIVE) {
        obstacles.add(new Obstacle(head, other, liveness));
      }
    }
    return new Standing.Waiting(
        position, obstacles, HeadCheck.dueIn(lock, lock.request(position - 1), live));
  }

  public Optional<LockRecord> inspect(CommandSender sender, LockName name) {
    return records(sender, LockCommands.byName(name), 1).stream().findFirst();
  }

  public List<LockRecord> list(
      CommandSender sender, String prefix, Optional<LockName> after, int limit) {
    return records(sender, LockCommands.heldFrom(prefix, after), limit);
  }

  private List<LockRecord> records(CommandSender sender, BsonDocument filter, int limit) {
    List<LockDocument> locks =
        sender.find(CollectionRole.LOCKS, filter, LockCommands.FIELDS, "_id", limit).stream()
            .map(document -> LockDocument.read(document, sender.describe()))
            .filter(lock -> !lock.isUnused())
            .toList();
    Set<SessionId> holders = new LinkedHashSet<>();
    locks.forEach(lock -> lock.head().ifPresent(head -> holders.add(head.session())));
    LiveSessions live = live(sender, holders);
    return locks.stream().map(lock -> HeadCheck.record(lock, live, sender.describe())).toList();
  }
}
