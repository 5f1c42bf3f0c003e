package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.spi.RequestKey;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.session.RememberedPosition.Holding;
import io.holdfast.zookeeper.session.Session;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * The verb {@code downgrade}: writes into the node of the exclusive holder that it shares the lock.
 * The node stays, and with it the place and the number. A request that joins later has a later
 * node, and so a greater number. The write tells the shared requests that wait, since they watch
 * that node.
 */
public final class Downgrades {

  private final QueueReader reader;

  public Downgrades(QueueReader reader) {
    this.reader = reader;
  }

  /** Repeats while others write to the node: each time a revocation has made progress. */
  public OptionalLong downgrade(Call call, RequestKey key, Optional<Session> known) {
    while (true) {
      QueueReader.View seen = reader.read(call, key.name());
      Optional<Entry> own = reader.held(call, seen, seen.order().indexOf(key.request()));
      if (own.isEmpty() || own.get().isTombstone() || own.get().session().isEmpty()) {
        return OptionalLong.empty();
      }
      Entry holder = own.get();
      int version = holder.stat().getVersion();
      if (!holder.shares()) {
        Pipeline pipeline = call.pipeline();
        Answer<Stat> written =
            pipeline.write(
                holder.place().path(),
                holder.data().runningOn(holder.stat()).shared().encode(),
                version);
        pipeline.awaitAnswers();
        if (written.code() == Code.BADVERSION) {
          continue;
        }
        if (!written.isOk()) {
          return OptionalLong.empty();
        }
        version++;
      }
      Holding now =
          new Holding(
              holder.creation(), LockMode.SHARED, version, Optional.empty(), Optional.empty());
      known.ifPresent(session -> session.remember(now));
      return OptionalLong.of(holder.number(seen.namespace().orElseThrow()));
    }
  }
}
