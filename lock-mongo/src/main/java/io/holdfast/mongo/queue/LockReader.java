package io.holdfast.mongo.queue;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.session.LiveSessions;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
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
      new LiveSessions(
          Map.of(),
          new ClockReading(Instant.EPOCH, Optional.empty(), Duration.ZERO, Duration.ZERO));

  private final Sessions sessions;
  private final FirstGrants firstGrants;
  private final Stays stays;

  public LockReader(Sessions sessions, FirstGrants firstGrants, Stays stays) {
    this.sessions = sessions;
    this.firstGrants = firstGrants;
    this.stays = stays;
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
    Set<SessionId> judged = new LinkedHashSet<>();
    for (RequestKey key : requests) {
      @Nullable LockDocument lock = locks.get(key.name());
      int position = lock == null ? -1 : lock.position(key.request());
      if (lock != null && position >= 0) {
        judged.add(session);
        judged(lock, position).forEach(entry -> judged.add(entry.request().session()));
      }
    }
    // Read after the locks: a session that is over now was over when its request was read, or has
    // ended since. Both are final.
    LiveSessions live = live(sender, judged);
    boolean isOver = !live.alive().containsKey(session.value());
    List<Standing> answers = new ArrayList<>(requests.size());
    for (RequestKey key : requests) {
      @Nullable LockDocument lock = locks.get(key.name());
      answers.add(
          isOver || lock == null
              ? new Standing.Absent()
              : standing(sender, new LockView(lock, live), key.request()));
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
            LockCommands.QUEUE,
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
   * Returns the requests ahead of a place that are judged, in the queue's order. The first waiter
   * learns of all holders, since each of them keeps it waiting. All others learn of those nearest
   * to the head, and of the one directly ahead.
   */
  private static List<Entry> judged(LockDocument lock, int position) {
    int holders = lock.holders().size();
    if (position < holders) {
      return List.of();
    }
    if (position == holders || position <= JUDGED_MAX) {
      return lock.queue().subList(0, position);
    }
    List<Entry> judged = new ArrayList<>(lock.queue().subList(0, JUDGED_MAX));
    judged.add(lock.queue().get(position - 1));
    return judged;
  }

  private Standing standing(CommandSender sender, LockView view, RequestId request) {
    LockDocument lock = view.lock();
    int position = lock.position(request);
    if (position < 0) {
      return new Standing.Absent();
    }
    if (lock.isHeldBy(request)) {
      LockDocument usable = firstGrants.usable(sender, lock, request);
      return new Standing.Holding(
          usable.number(), usable.since(), lock.contention(), lock.queue().get(position).mode());
    }
    List<Entry> judged = judged(lock, position);
    stays.restampDoubtful(sender, view, judged);
    int ahead = 1 + position - lock.holders().size();
    return new Standing.Waiting(ahead, obstacles(view, judged), nextDue(view, position));
  }

  private static List<Obstacle> obstacles(LockView view, List<Entry> judged) {
    LockDocument lock = view.lock();
    List<Obstacle> obstacles = new ArrayList<>();
    for (Entry entry : judged) {
      Liveness liveness = view.liveness(entry);
      if (!liveness.counts()) {
        Entry holder = lock.holder(entry.request()).orElse(lock.queue().get(0));
        Observed inTheWay = lock.observed(holder);
        obstacles.add(new Obstacle(inTheWay, entry.request(), liveness));
      }
    }
    return obstacles;
  }

  private static Optional<Duration> nextDue(LockView view, int position) {
    LockDocument lock = view.lock();
    return position == lock.holders().size()
        ? view.firstDueIn()
        : view.dueIn(lock.queue().get(position - 1));
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
        sender.find(CollectionRole.LOCKS, filter, LockCommands.WHOLE, "_id", limit).stream()
            .map(document -> LockDocument.read(document, sender.describe()))
            .filter(lock -> !lock.isUnused())
            .toList();
    Set<SessionId> holders = new LinkedHashSet<>();
    locks.forEach(
        lock -> lock.holders().forEach(holder -> holders.add(holder.request().session())));
    LiveSessions live = live(sender, holders);
    return locks.stream().map(lock -> new LockView(lock, live).record(sender.describe())).toList();
  }
}
