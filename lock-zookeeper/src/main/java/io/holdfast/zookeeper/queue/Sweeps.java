package io.holdfast.zookeeper.queue;

import io.holdfast.SessionId;
import io.holdfast.spi.RequestKey;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.session.StayList;
import io.holdfast.zookeeper.session.StayList.Listed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * The verb {@code sweep}: removes what outlives its session and counts no more. ZooKeeper itself
 * removes all else: the nodes of sessions, and empty queues.
 */
public final class Sweeps {

  /** So many requests are looked at in one call. */
  private static final int REQUESTS_MAX = 200;

  private final Paths paths;
  private final QueueReader reader;
  private final StayList stays;
  private final Removals removals;

  public Sweeps(Paths paths, QueueReader reader, StayList stays, Removals removals) {
    this.paths = paths;
    this.reader = reader;
    this.stays = stays;
    this.removals = removals;
  }

  /** Returns how many were removed, or have begun their lock-delay. */
  public int sweep(Call call) {
    int seen = 0;
    int changed = 0;
    for (SessionId session : sessions(call)) {
      if (seen >= REQUESTS_MAX) {
        break;
      }
      List<Listed> listed = stays.of(call, session);
      for (Listed request : listed.subList(0, Math.min(REQUESTS_MAX - seen, listed.size()))) {
        seen++;
        changed += sweep(call, request) ? 1 : 0;
      }
    }
    return changed;
  }

  /** In any order, so that a session left by one call is not left by all. */
  private List<SessionId> sessions(Call call) {
    Pipeline counting = call.pipeline();
    counting.sync(paths.stays());
    Answer<Stat> size = counting.stat(paths.stays());
    counting.awaitAnswers();
    int nodes = QueueListing.nodes(size);
    if (nodes == 0 || nodes > QueueListing.READABLE_MAX) {
      return List.of();
    }
    Pipeline pipeline = call.pipeline();
    Answer<List<String>> names = pipeline.children(paths.stays());
    pipeline.awaitAnswers();
    List<SessionId> sessions =
        new ArrayList<>(names.value().orElse(List.of()).stream().map(SessionId::new).toList());
    Collections.shuffle(sessions);
    return sessions;
  }

  private boolean sweep(Call call, Listed listed) {
    RequestKey key = listed.key();
    QueueReader.View seen = reader.read(call, key.name());
    int index = seen.order().indexOf(key.request());
    Optional<Entry> found =
        index < 0 ? Optional.empty() : reader.entry(call, seen.order().queue().get(index));
    if (found.isEmpty()) {
      return isOver(call, key.request().session()) && forget(call, listed);
    }
    Entry entry = found.get();
    if (entry.session().isEmpty() && entry.hasDelayLeft() && seen.order().holds(index)) {
      Overtakes.beginDelay(call, entry);
      return true;
    }
    reader.keepTime(call, List.of(entry), seen.clock());
    return !entry.counts(seen.clock()) && entry.isPersistent() && removals.remove(call, entry);
  }

  /** A request that is about to come is listed before it is there. */
  private boolean isOver(Call call, SessionId session) {
    Pipeline pipeline = call.pipeline();
    Answer<Stat> node = pipeline.stat(paths.session(session));
    pipeline.awaitAnswers();
    return !node.isOk();
  }

  private boolean forget(Call call, Listed listed) {
    stays.remove(call, listed.key().request(), listed.kind());
    return true;
  }
}
