package io.holdfast.mongo;

import io.holdfast.Liveness;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.mongo.SessionDocument.Clock;
import io.holdfast.mongo.SessionDocument.Known;
import io.holdfast.mongo.SessionDocument.Verdict;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Judges whether a head still counts. */
final class Heads {

  private final Sessions sessions;

  Heads(Sessions sessions) {
    this.sessions = sessions;
  }

  /** Returns how a request seems to stand, as far as it can be told without looking closely. */
  static Liveness liveness(LockDocument lock, RequestId request, Known known) {
    @Nullable SessionDocument session = known.of(request);
    if (session == null) {
      return Liveness.ENDED;
    }
    boolean due =
        lock.isHeldBy(request)
            && lock.revoked()
                .filter(mark -> known.clock().judge(mark, session) == Verdict.PASSED)
                .isPresent();
    if (due) {
      return Liveness.REVOCATION_DUE;
    }
    return known.clock().judge(session) == Verdict.RUNNING ? Liveness.LIVE : Liveness.LAPSED;
  }

  /**
   * Returns how long until a request seems to stand otherwise, if nobody renews its session; empty
   * if it does not count now.
   */
  static Optional<Duration> dueIn(LockDocument lock, RequestId request, Known known) {
    @Nullable SessionDocument session = known.of(request);
    if (session == null || liveness(lock, request, known) != Liveness.LIVE) {
      return Optional.empty();
    }
    Clock clock = known.clock();
    Duration lapses = clock.remaining(session.renewed(), session.ttl());
    return lock.isHeldBy(request)
        ? lock.revoked()
            .map(mark -> clock.remaining(mark.at(), session.ttl()))
            .filter(due -> due.compareTo(lapses) < 0)
            .or(() -> Optional.of(lapses))
        : Optional.of(lapses);
  }

  /** Returns the lock as it is shown to people. */
  static LockRecord record(LockDocument lock, Known known, String where) {
    Liveness liveness = lock.head().map(head -> liveness(lock, head, known)).orElse(Liveness.ENDED);
    return lock.toRecord(liveness, where);
  }

  /**
   * Returns whether others may remove the head: only what is final, or was announced long enough.
   */
  boolean mayBeOvertaken(Call call, LockDocument lock, Known known) {
    if (known.of(lock.head().orElseThrow()) == null) {
      return true;
    }
    return revocation(call, lock).filter(Duration::isZero).isPresent();
  }

  /**
   * Returns after which time a revoked head may be removed, judged closely; empty if it was not
   * revoked. A mark that was made by a clock that is not the present one is made anew.
   */
  Optional<Duration> revocation(Call call, LockDocument lock) {
    if (lock.revoked().isEmpty()) {
      return Optional.empty();
    }
    LockDocument.Revoked mark = lock.revoked().get();
    return sessions
        .judge(call, lock.head().orElseThrow().session())
        .map(
            judged -> {
              Clock now = judged.clock();
              Duration ttl = judged.session().ttl();
              if (now.judge(mark, judged.session()) != Verdict.DOUBTFUL) {
                return now.remaining(mark.at(), ttl);
              }
              restamp(call, lock, now);
              return now.remaining(now.now(), ttl);
            })
        .or(() -> Optional.of(Duration.ZERO));
  }

  /**
   * Makes the mark of a revoked head anew if it was made by a clock that is not the present one, or
   * in the future: else it would be due an hour late where the clock was set back by one.
   */
  void restampDoubtful(Call call, LockDocument lock, Known known) {
    @Nullable SessionDocument session = lock.head().map(known::of).orElse(null);
    if (session != null
        && lock.revoked()
            .filter(mark -> known.clock().judge(mark, session) == Verdict.DOUBTFUL)
            .isPresent()) {
      revocation(call, lock);
    }
  }

  private static void restamp(Call call, LockDocument lock, Clock now) {
    if (now.incarnation().isPresent()) {
      Update mark = LockCommands.revoke(now.incarnation().get());
      call.change(Part.LOCKS, LockCommands.heldAndRevoked(lock), mark);
    }
  }
}
