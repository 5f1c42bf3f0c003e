package io.holdfast.zookeeper.queue;

import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay;
import io.holdfast.spi.answer.Observed;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.StoredStay;
import io.holdfast.zookeeper.session.NoticeWriter;
import io.holdfast.zookeeper.session.StoreClock;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * The verbs {@code revoke} and {@code revokeIn}. The mark is a stay in the data of the request's
 * node, which goes with it, and the leader's time of that write says since when.
 */
public final class Revocations {

  private final Paths paths;
  private final QueueReader reader;
  private final Removals removals;
  private final String where;

  public Revocations(Paths paths, QueueReader reader, Removals removals, String where) {
    this.paths = paths;
    this.reader = reader;
    this.removals = removals;
    this.where = where;
  }

  /**
   * A demand on a holder.
   *
   * @param notice how long it may still hold, if it does not leave now
   */
  private record Wanted(Observed observed, Optional<Duration> notice, boolean now) {}

  public Revocation revoke(Call call, Observed observed, RevokeWhen when) {
    return revoke(call, new Wanted(observed, Optional.empty(), when == RevokeWhen.NOW));
  }

  public Revocation revokeIn(Call call, Observed observed, Duration notice) {
    return revoke(call, new Wanted(observed, Optional.of(notice), false));
  }

  /** Repeats while others write to the node: a downgrade, or another revocation. */
  private Revocation revoke(Call call, Wanted wanted) {
    while (true) {
      Optional<Revocation> revocation = tryToRevoke(call, wanted);
      if (revocation.isPresent()) {
        return settled(call, wanted, revocation.get());
      }
    }
  }

  /** The change may be this call's own deed, whose answer was lost. */
  private Revocation settled(Call call, Wanted wanted, Revocation told) {
    if (!(told instanceof Revocation.Changed) || !call.isRetry()) {
      return told;
    }
    throw Removals.notKnown(wanted.observed().name(), wanted.observed().request(), where);
  }

  private Optional<Revocation> tryToRevoke(Call call, Wanted wanted) {
    QueueReader.View seen = reader.read(call, wanted.observed().name());
    Optional<Entry> found = reader.holder(call, seen, wanted.observed());
    if (found.isEmpty()) {
      return Optional.of(new Revocation.Changed());
    }
    Entry holder = found.get();
    if (holder.session().isEmpty() || holder.isTombstone()) {
      return Optional.of(withoutSession(call, holder, wanted));
    }
    // The session first, so that no holder loses the lock without having been told.
    Optional<Stat> told =
        new NoticeWriter(paths, call)
            .add(wanted.observed().request(), wanted.notice().orElse(Duration.ZERO));
    if (told.isEmpty()) {
      // The session has ended since it was read. A lock-delay keeps its request.
      return Optional.of(
          reader
              .entry(call, holder.place())
              .filter(entry -> entry.session().isEmpty())
              .map(entry -> withoutSession(call, entry, wanted))
              .orElse(new Revocation.Changed()));
    }
    if (wanted.now()) {
      return Optional.of(remove(call, holder));
    }
    seen.clock().see(told.get());
    Duration delay =
        holder.revocationDelay(
            seen.namespace().orElseThrow(), wanted.notice().orElse(Duration.ZERO));
    return mark(call, holder, delay, wanted, seen.clock());
  }

  /** No session has to be told. But a notice uses up no lock-delay. */
  private Revocation withoutSession(Call call, Entry holder, Wanted wanted) {
    return wanted.notice().isPresent() && holder.hasDelayLeft()
        ? new Revocation.Marked(Duration.ZERO)
        : remove(call, holder);
  }

  private Revocation remove(Call call, Entry holder) {
    return removals.removeAnyhow(call, holder) ? new Revocation.Freed() : new Revocation.Changed();
  }

  /** Of two marks that counts which ends first, unless it is of another leader's time. */
  private Optional<Revocation> mark(
      Call call, Entry holder, Duration delay, Wanted wanted, StoreClock clock) {
    Optional<Duration> left = holder.left(clock).filter(time -> !holder.isStayDoubtful(clock));
    boolean isOld = left.filter(time -> time.compareTo(delay) <= 0).isPresent();
    if (isOld && left.get().isZero()) {
      return Optional.of(remove(call, holder));
    }
    RequestData marked =
        isOld
            ? holder.data().runningOn(holder.stat())
            : holder.data().with(StoredStay.beginning(Stay.Reason.REVOKED, delay));
    // A revocation uses up the lock-delay, but one with notice does not.
    boolean endsDelay = wanted.notice().isEmpty() && holder.hasDelayLeft();
    if (isOld && !endsDelay) {
      return Optional.of(new Revocation.Marked(left.get()));
    }
    Pipeline pipeline = call.pipeline();
    Answer<Stat> written =
        pipeline.write(
            holder.place().path(),
            (endsDelay ? marked.withoutDelay() : marked).encode(),
            holder.stat().getVersion());
    pipeline.awaitAnswers();
    if (written.code() == Code.BADVERSION) {
      return Optional.empty();
    }
    return Optional.of(
        written.isOk()
            ? new Revocation.Marked(isOld ? left.get() : delay)
            : new Revocation.Changed());
  }
}
