package io.holdfast.zookeeper;

import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.Observed;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Revoking. The mark is a new version of the request's node, which goes with it, and the leader's
 * time of that write says since when.
 */
final class Revocations {

  private final Paths paths;
  private final Heads heads;

  Revocations(Paths paths, Heads heads) {
    this.paths = paths;
    this.heads = heads;
  }

  Revocation revoke(Steps steps, Observed observed, RevokeWhen when) {
    Heads.Seen seen = heads.see(steps, observed.name());
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
      return remove(steps, head.get());
    }
    // The session first, so that nobody is evicted who was not told.
    Optional<Stat> told = new Notices.Book(paths, steps).add(observed.request());
    if (told.isEmpty()) {
      return new Revocation.Changed();
    }
    seen.clock().see(told.get());
    return when == RevokeWhen.NOW
        ? remove(steps, head.get())
        : mark(steps, head.get(), seen.namespace().orElseThrow(), seen.clock());
  }

  private static Revocation remove(Steps steps, Head head) {
    Flight flight = steps.flight();
    Answer<Boolean> removed = flight.delete(head.place().path(), Flight.ANY_VERSION);
    flight.land();
    return removed.isOk() ? new Revocation.Freed() : new Revocation.Changed();
  }

  /** The first mark counts, unless it is of another leader's time. */
  private static Revocation mark(Steps steps, Head head, Namespace namespace, StoreClock clock) {
    Duration remaining = head.remaining(namespace, clock);
    if (head.isRevoked() && !head.isMarkDoubtful(clock)) {
      return remaining.isZero() ? remove(steps, head) : new Revocation.Marked(remaining);
    }
    Flight flight = steps.flight();
    Answer<Stat> marked =
        flight.write(head.place().path(), head.node().data(), head.stat().getVersion());
    flight.land();
    // Whoever was faster has marked it as well as we.
    return marked.isOk() || marked.code() == Code.BADVERSION
        ? new Revocation.Marked(head.patience(namespace))
        : new Revocation.Changed();
  }
}
