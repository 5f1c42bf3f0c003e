package io.holdfast.mongo;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.mongo.SessionDocument.Clock;
import io.holdfast.mongo.SessionDocument.Known;
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

/** The verbs that look. They read what a majority has, which cannot be undone. */
final class Views {

  /** How many locks are read at once. */
  private static final int BATCH = 500;

  /** How many of those nearest to the head are judged; the others have time. */
  private static final int JUDGED_MAX = 32;

  private static final Known NOTHING =
      new Known(Map.of(), new Clock(Instant.EPOCH, Optional.empty(), Duration.ZERO));

  private final Sessions sessions;
  private final FirstGrants firstGrants;
  private final Heads heads;

  Views(Sessions sessions, FirstGrants firstGrants, Heads heads) {
    this.sessions = sessions;
    this.firstGrants = firstGrants;
    this.heads = heads;
  }

  List<Standing> look(Call call, SessionId session, List<RequestKey> requests) {
    List<Standing> answers = new ArrayList<>(requests.size());
    for (int from = 0; from < requests.size(); from += BATCH) {
      answers.addAll(
          lookBatch(
              call, session, requests.subList(from, Math.min(from + BATCH, requests.size()))));
    }
    return answers;
  }

  private List<Standing> lookBatch(Call call, SessionId session, List<RequestKey> requests) {
    Map<LockName, LockDocument> locks = locks(call, requests);
    Set<SessionId> ahead = new LinkedHashSet<>();
    for (RequestKey key : requests) {
      @Nullable LockDocument lock = locks.get(key.name());
      if (lock != null && lock.position(key.request()) >= 0) {
        ahead.add(session);
        ahead(lock, key.request()).forEach(request -> ahead.add(request.session()));
      }
    }
    // After the locks: whatever is over now was not alive when its request was read, or has ended
    // since, and either is final.
    Known known = known(call, ahead);
    boolean isOver = !known.alive().containsKey(session.value());
    List<Standing> answers = new ArrayList<>(requests.size());
    for (RequestKey key : requests) {
      answers.add(
          isOver
              ? new Standing.Absent()
              : standing(call, locks.get(key.name()), key.request(), known));
    }
    return answers;
  }

  private Known known(Call call, Collection<SessionId> ids) {
    return ids.isEmpty() ? NOTHING : sessions.known(call, ids);
  }

  /**
   * Reads the locks. A primary that has just been elected may not know yet that a majority has what
   * it was told before: it is asked again, by a write, about each request that seems not to be
   * there.
   */
  private Map<LockName, LockDocument> locks(Call call, List<RequestKey> requests) {
    Set<LockName> names = new LinkedHashSet<>();
    requests.forEach(key -> names.add(key.name()));
    Map<LockName, LockDocument> locks = new HashMap<>();
    call
        .find(Part.LOCKS, LockCommands.byNames(names), LockCommands.REQUESTS, "_id", names.size())
        .stream()
        .map(document -> LockDocument.read(document, call.describe()))
        .forEach(lock -> locks.put(lock.name(), lock));
    for (RequestKey key : requests) {
      @Nullable LockDocument lock = locks.get(key.name());
      if (lock == null || lock.position(key.request()) < 0) {
        locks.put(key.name(), firstGrants.confirmed(call, key.name()));
      }
    }
    return locks;
  }

  /**
   * Returns the requests before one, nearest to the head first, as far as they are judged: the
   * first ones, and the last.
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
      Call call, @Nullable LockDocument lock, RequestId request, Known known) {
    int position = lock == null ? -1 : lock.position(request);
    if (lock == null || position < 0) {
      return new Standing.Absent();
    }
    if (position == 0) {
      LockDocument usable = firstGrants.usable(call, lock, request);
      return new Standing.Holding(usable.number(), usable.since(), lock.contention());
    }
    heads.restampDoubtful(call, lock, known);
    Observed head = new Observed(lock.name(), lock.number(), lock.head().orElseThrow());
    List<Obstacle> obstacles = new ArrayList<>();
    for (RequestId other : ahead(lock, request)) {
      Liveness liveness = Heads.liveness(lock, other, known);
      if (liveness != Liveness.LIVE) {
        obstacles.add(new Obstacle(head, other, liveness));
      }
    }
    return new Standing.Waiting(
        position, obstacles, Heads.dueIn(lock, lock.request(position - 1), known));
  }

  Optional<LockRecord> inspect(Call call, LockName name) {
    return records(call, LockCommands.byName(name), 1).stream().findFirst();
  }

  List<LockRecord> list(Call call, String prefix, Optional<LockName> after, int most) {
    return records(call, LockCommands.heldFrom(prefix, after), most);
  }

  private List<LockRecord> records(Call call, BsonDocument filter, int most) {
    List<LockDocument> locks =
        call.find(Part.LOCKS, filter, LockCommands.FIELDS, "_id", most).stream()
            .map(document -> LockDocument.read(document, call.describe()))
            .filter(lock -> !lock.isUnused())
            .toList();
    Set<SessionId> holders = new LinkedHashSet<>();
    locks.forEach(lock -> lock.head().ifPresent(head -> holders.add(head.session())));
    Known known = known(call, holders);
    return locks.stream().map(lock -> Heads.record(lock, known, call.describe())).toList();
  }
}
