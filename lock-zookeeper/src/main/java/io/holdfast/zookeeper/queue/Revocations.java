package io.holdfast.zookeeper.queue;

import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.Observed;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.session.NoticeWriter;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * The verb {@code revoke}. The mark is a new version of the request's node, which goes with it, and
 * the leader's time of that write says since when.
 */
public final class Revocations {

  private final Paths paths;
  private final HeadReader heads;

  public Revocations(Paths paths, HeadReader heads) {
    this.paths = paths;
    this.heads = heads;
  }

  public Revocation revoke(Call call, Observed observed, RevokeWhen when) {
    HeadReader.View seen = heads.read(call, observed.name());
    Optional<Head> head =
        seen.head()
            .filter(
                first ->
                    first
                        .observed(observed.name(), seen.namespace().orElseThrow())
                        .equals(observed));
    if (head.isEmpty()) {
      return new Revocation.Changed();
    }
    if (head.get().session().isEmpty()) {
      return remove(call, head.get());
    }
    // The session first, so that no holder loses the lock without having been told.
    Optional<Stat> told = new NoticeWriter(paths, call).add(observed.request());
    if (told.isEmpty()) {
      return new Revocation.Changed();
    }
    seen.clock().see(told.get());
    return when == RevokeWhen.NOW
        ? remove(call, head.get())
        : mark(call, head.get(), seen.namespace().orElseThrow(), seen.clock());
  }

  private static Revocation remove(Call call, Head head) {
    Pipeline pipeline = call.pipeline();
    Answer<Boolean> removed = pipeline.delete(head.place().path(), Pipeline.ANY_VERSION);
    pipeline.awaitAnswers();
    return removed.isOk() ? new Revocation.Freed() : new Revocation.Changed();
  }

  /** The first mark counts, unless it is of another leader's time. */
  private static Revocation mark(Call call, Head head, Namespace namespace, StoreClock clock) {
    Duration remaining = head.remaining(namespace, clock);
    if (head.isRevoked() && !head.isMarkDoubtful(clock)) {
      return remaining.isZero() ? remove(call, head) : new Revocation.Marked(remaining);
    }
    Pipeline pipeline = call.pipeline();
    Answer<Stat> marked =
        pipeline.write(head.place().path(), head.node().data(), head.stat().getVersion());
    pipeline.awaitAnswers();
    // A faster client has marked it just as well.
    return marked.isOk() || marked.code() == Code.BADVERSION
        ? new Revocation.Marked(head.revocationDelay(namespace))
        : new Revocation.Changed();
  }
}
