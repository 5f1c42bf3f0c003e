package io.holdfast.mongo.queue;

import io.holdfast.Liveness;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.clock.ClockReading.Verdict;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Update;
import io.holdfast.mongo.session.LiveSessions;
import io.holdfast.mongo.session.SessionDocument;
import io.holdfast.mongo.session.Sessions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells how a request stands, and whether a lock's head may be removed. */
public final class HeadCheck {

  private final Sessions sessions;

  public HeadCheck(Sessions sessions) {
    this.sessions = sessions;
  }

  /** Returns how a request seems to stand, judged without a write. */
  static Liveness liveness(LockDocument lock, RequestId request, LiveSessions live) {
    @Nullable SessionDocument session = live.of(request);
    if (session == null) {
      return Liveness.ENDED;
    }
    boolean due =
        lock.isHeldBy(request)
            && lock.revoked()
                .filter(mark -> judge(mark, session, live.clock()) == Verdict.PASSED)
                .isPresent();
    if (due) {
      return Liveness.REVOCATION_DUE;
    }
    return session.judge(live.clock()) == Verdict.RUNNING ? Liveness.LIVE : Liveness.LAPSED;
  }

  private static Verdict judge(
      LockDocument.Revoked mark, SessionDocument session, ClockReading clock) {
    return clock.judge(mark.at(), mark.incarnation(), session.ttl());
  }

  /**
   * Returns how long until a request's standing changes if its session is not renewed; empty if it
   * is not live now.
   */
  static Optional<Duration> dueIn(LockDocument lock, RequestId request, LiveSessions live) {
    @Nullable SessionDocument session = live.of(request);
    if (session == null || liveness(lock, request, live) != Liveness.LIVE) {
      return Optional.empty();
    }
    ClockReading clock = live.clock();
    Duration lapses = clock.remaining(session.renewed(), session.ttl());
    return lock.isHeldBy(request)
        ? lock.revoked()
            .map(mark -> clock.remaining(mark.at(), session.ttl()))
            .filter(due -> due.compareTo(lapses) < 0)
            .or(() -> Optional.of(lapses))
        : Optional.of(lapses);
  }

  /** Returns the lock's record for users. */
  static LockRecord record(LockDocument lock, LiveSessions live, String where) {
    Liveness liveness = lock.head().map(head -> liveness(lock, head, live)).orElse(Liveness.ENDED);
    return lock.toRecord(liveness, where);
  }

  /**
   * Returns whether other clients may remove the head: its session is over for good, or its
   * revocation is due.
   */
  boolean mayBeOvertaken(CommandSender sender, LockDocument lock, LiveSessions live) {
    if (live.of(lock.head().orElseThrow()) == null) {
      return true;
    }
    return revocation(sender, lock).filter(Duration::isZero).isPresent();
  }

  /**
   * Returns after which time a revoked head may be removed, judged by a write; empty if it was not
   * revoked. A mark by the clock of another incarnation is replaced by a new one.
   */
  Optional<Duration> revocation(CommandSender sender, LockDocument lock) {
    if (lock.revoked().isEmpty()) {
      return Optional.empty();
    }
    LockDocument.Revoked mark = lock.revoked().get();
    return sessions
        .judge(sender, lock.head().orElseThrow().session())
        .map(
            judged -> {
              ClockReading now = judged.clock();
              Duration ttl = judged.session().ttl();
              if (judge(mark, judged.session(), now) != Verdict.DOUBTFUL) {
                return now.remaining(mark.at(), ttl);
              }
              restamp(sender, lock, now);
              return now.remaining(now.now(), ttl);
            })
        .or(() -> Optional.of(Duration.ZERO));
  }

  /**
   * Replaces the mark of a revoked head if it was made by the clock of another incarnation, or in
   * the future. Otherwise, if the clock was set back by an hour, the revocation would be due an
   * hour late.
   */
  void restampDoubtful(CommandSender sender, LockDocument lock, LiveSessions live) {
    @Nullable SessionDocument session = lock.head().map(live::of).orElse(null);
    if (session != null
        && lock.revoked()
            .filter(mark -> judge(mark, session, live.clock()) == Verdict.DOUBTFUL)
            .isPresent()) {
      revocation(sender, lock);
    }
  }

  private static void restamp(CommandSender sender, LockDocument lock, ClockReading now) {
    if (now.incarnation().isPresent()) {
      Update mark = LockCommands.revoke(now.incarnation().get());
      sender.change(CollectionRole.LOCKS, LockCommands.heldAndRevoked(lock), mark);
    }
  }
}
