package io.holdfast.zookeeper.queue;

import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.Stay;
import io.holdfast.spi.Observed;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.StoredStay;
import io.holdfast.zookeeper.session.NoticeWriter;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * The verb {@code revoke}. The mark is a stay in the data of the request's node, which goes with
 * it, and the leader's time of that write says since when.
 */
public final class Revocations {

  private final Paths paths;
  private final QueueReader reader;

  public Revocations(Paths paths, QueueReader reader) {
    this.paths = paths;
    this.reader = reader;
  }

  /** Repeats while others write to the node: a downgrade, or another revocation. */
  public Revocation revoke(Call call, Observed observed, RevokeWhen when) {
    while (true) {
      Optional<Revocation> revocation = tryToRevoke(call, observed, when);
      if (revocation.isPresent()) {
        return revocation.get();
      }
    }
  }

  private Optional<Revocation> tryToRevoke(Call call, Observed observed, RevokeWhen when) {
    QueueReader.View seen = reader.read(call, observed.name());
    Optional<Entry> holder = reader.holder(call, seen, observed);
    if (holder.isEmpty()) {
      return Optional.of(new Revocation.Changed());
    }
    if (holder.get().session().isEmpty()) {
      return Optional.of(remove(call, holder.get()));
    }
    // The session first, so that no holder loses the lock without having been told.
    Optional<Stat> told = new NoticeWriter(paths, call).add(observed.request());
    if (told.isEmpty()) {
      return Optional.of(new Revocation.Changed());
    }
    seen.clock().see(told.get());
    Duration delay = holder.get().revocationDelay(seen.namespace().orElseThrow());
    return when == RevokeWhen.NOW
        ? Optional.of(remove(call, holder.get()))
        : mark(call, holder.get(), delay, seen.clock());
  }

  private static Revocation remove(Call call, Entry holder) {
    Pipeline pipeline = call.pipeline();
    Answer<Boolean> removed = pipeline.delete(holder.place().path(), Pipeline.ANY_VERSION);
    pipeline.awaitAnswers();
    return removed.isOk() ? new Revocation.Freed() : new Revocation.Changed();
  }

  /** The first mark counts, unless it is of another leader's time. */
  private static Optional<Revocation> mark(
      Call call, Entry holder, Duration delay, StoreClock clock) {
    if (holder.isRevoked() && !holder.isStayDoubtful(clock)) {
      Duration left = holder.left(clock).orElseThrow();
      return Optional.of(left.isZero() ? remove(call, holder) : new Revocation.Marked(left));
    }
    Pipeline pipeline = call.pipeline();
    Answer<Stat> marked =
        pipeline.write(
            holder.place().path(),
            holder.data().with(StoredStay.beginning(Stay.Reason.REVOKED, delay)).encode(),
            holder.stat().getVersion());
    pipeline.awaitAnswers();
    if (marked.code() == Code.BADVERSION) {
      return Optional.empty();
    }
    return Optional.of(marked.isOk() ? new Revocation.Marked(delay) : new Revocation.Changed());
  }
}
