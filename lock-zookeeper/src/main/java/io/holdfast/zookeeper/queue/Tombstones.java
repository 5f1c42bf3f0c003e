package io.holdfast.zookeeper.queue;

import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.RememberedPosition.Holding;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.StayList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;

/**
 * The verb {@code releaseAfter}: a holder gives its lock back, which stays taken. A persistent node
 * of the same name takes the place of the request's ephemeral one in one step, so its place in the
 * queue is the same. Its data keep the creation of the first node, which is the number of the
 * grant.
 */
public final class Tombstones {

  private final QueueReader reader;
  private final StayList stays;

  public Tombstones(QueueReader reader, StayList stays) {
    this.reader = reader;
    this.stays = stays;
  }

  /**
   * Returns what became of it; empty if the request does not hold, or was revoked. Repeats while
   * others write to its node.
   */
  public Optional<Released> releaseAfter(
      Call call, RequestKey key, Duration stay, Optional<Session> session) {
    while (true) {
      Optional<Entry> held = held(call, key, session);
      if (held.isEmpty() || held.get().isRevoked()) {
        return Optional.empty();
      }
      if (held.get().isTombstone() || bury(call, key, held.get(), stay)) {
        // Also if an earlier call did not come so far: it is no request of its session any more.
        stays.removeDelay(call, held.get().place());
        return Optional.of(Released.STAYS);
      }
    }
  }

  private Optional<Entry> held(Call call, RequestKey key, Optional<Session> session) {
    Optional<RememberedPosition> position =
        session.flatMap(known -> known.onlyPlace(key.request()));
    if (position.filter(Holding.class::isInstance).isPresent()) {
      return reader.entry(call, position.get().creation().place());
    }
    QueueReader.View seen = reader.read(call, key.name());
    return reader.held(call, seen, seen.order().indexOf(key.request()));
  }

  /** Returns false if the node was written to since it was read. */
  private boolean bury(Call call, RequestKey key, Entry holder, Duration stay) {
    stays.add(call, key, StayList.Kind.TOMBSTONE);
    String path = holder.place().path();
    int version = holder.stat().getVersion();
    byte[] data = holder.data().tombstone(holder.stat(), stay).encode();
    Pipeline pipeline = call.pipeline();
    Answer<?> buried =
        holder.isPersistent()
            ? pipeline.write(path, data, version)
            : pipeline.writeAll(replacing(call, path, data, version));
    pipeline.awaitAnswers();
    return buried.isOk();
  }

  /**
   * The new node gets a version that the old one never had: else a client that has read the old one
   * could write to the new one, or delete it.
   */
  private static List<Op> replacing(Call call, String path, byte[] data, int version) {
    List<Op> steps = new ArrayList<>();
    steps.add(Op.delete(path, version));
    steps.add(Op.create(path, data, call.rights(), CreateMode.PERSISTENT));
    for (int next = 0; next <= version; next++) {
      steps.add(Op.setData(path, data, next));
    }
    return steps;
  }
}
