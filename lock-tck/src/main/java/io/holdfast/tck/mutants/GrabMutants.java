package io.holdfast.tck.mutants;

import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Attempt.Granted;
import io.holdfast.spi.answer.Attempt.Queued;
import io.holdfast.spi.answer.Attempt.Refused;
import io.holdfast.spi.answer.Attempt.SessionOver;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import io.holdfast.tck.faults.InterceptedBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Mistakes in taking a lock. */
final class GrabMutants {

  private GrabMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "grab-ignores-the-end-of-its-session",
            "A session that is over is granted nothing (known failures 26, 47 and 50)",
            GrabMutants::ignoringTheEnd,
            "GrabRules.aSessionThatIsOverIsGrantedNothing",
            "GrabRules.aSessionThatIsOverJoinsNoQueue",
            "GrabRules.aSessionThatWasNeverOpenedIsGrantedNothing",
            "GrabRules.aSessionThatIsOverIsNotGrantedAgainWhatItGaveBack",
            "UnsettledRules.aLateCopyOfAGrabFindsItsSessionOver"),
        Mutant.ofBackend(
            "repeated-grab-is-a-second-grant",
            "Repeating a grab is the same wish (known failures 4 and 29)",
            GrabMutants::grantingAgain,
            "GrabRules.repeatingAGrabThatWasGrantedIsTheSameGrant",
            "TokenRules.aNumberDoesNotChangeWhileTheLockIsHeld"),
        Mutant.ofBackend(
            "repeated-grab-waits-twice",
            "Repeating a grab keeps its place and takes no other (known failure 4)",
            GrabMutants::queueingAgain,
            "GrabRules.repeatingAGrabThatWasQueuedKeepsItsPlace"),
        Mutant.ofBackend(
            "refused-request-stays-in-the-queue",
            "A request that does not wait leaves nothing behind (known failure 6)",
            GrabMutants::joiningAnyway,
            "GrabRules.aRefusedRequestLeavesNothingBehind"),
        Mutant.ofBackend(
            "lock-is-its-sessions",
            "Two requests of one session are two (known failure 2)",
            target ->
                reentrant(target, (holder, request) -> sameSession(holder.request(), request)),
            "GrabRules.twoRequestsOfOneSessionAreTwo"),
        Mutant.ofBackend(
            "lock-is-its-processs",
            "Ownership is by request, not by the name of a host or process (known failure 41)",
            target -> reentrant(target, (holder, request) -> sameProcess(holder, request)),
            "GrabRules.aHeldLockIsRefusedWithItsHoldersData",
            "GrabRules.ofManyWhoGrabAtOnceExactlyOneIsGranted"),
        Mutant.ofBackend(
            "lapsed-lock-is-free",
            "† A lock may be touched only after its holder's session was ended",
            GrabMutants::takingFromTheLapsed,
            "OvertakeRules.aHolderThatOnlyLapsedIsNotOvertaken"));
  }

  private static LockBackend ignoringTheEnd(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        Attempt attempt = super.grab(request, deadline);
        if (!(attempt instanceof SessionOver)) {
          return attempt;
        }
        SessionId session = request.id().session();
        super.open(new SessionSpec(session, Duration.ofSeconds(1), 0, request.process()), deadline);
        Attempt granted = super.grab(request, deadline);
        super.end(session, EndIf.CLOSED, deadline);
        return granted;
      }
    };
  }

  private static LockBackend grantingAgain(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        // Forgets which request the grant was for, as a store without request ids does.
        super.inspect(request.name(), deadline)
            .flatMap(LockRecord::holder)
            .filter(holder -> holder.request().equals(request.id()))
            .ifPresent(holder -> super.release(request.name(), request.id(), deadline));
        return super.grab(request, deadline);
      }
    };
  }

  private static LockBackend queueingAgain(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        boolean waits =
            super.inspect(request.name(), deadline).stream()
                .flatMap(record -> record.waiters().stream())
                .anyMatch(waiter -> waiter.request().equals(request.id()));
        RequestId again =
            new RequestId(request.id().session(), request.id().serial() + 1_000_000_000L);
        return super.grab(waits ? request.with(again) : request, deadline);
      }
    };
  }

  private static LockBackend joiningAnyway(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        Attempt attempt = super.grab(request.with(IfHeld.QUEUE), deadline);
        return attempt instanceof Queued && request.ifHeld() == IfHeld.REFUSE
            ? new Refused(super.inspect(request.name(), deadline).orElseThrow(), Optional.empty())
            : attempt;
      }
    };
  }

  private static LockBackend reentrant(LockBackend target, BiPredicate<Holder, Request> mine) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        Attempt attempt = super.grab(request, deadline);
        return attempt instanceof Refused refused
            ? refused
                .record()
                .holder()
                .filter(holder -> mine.test(holder, request))
                .<Attempt>map(
                    holder ->
                        new Granted(
                            refused.record().number(), holder.since(), Contention.NOT_KNOWN))
                .orElse(refused)
            : attempt;
      }
    };
  }

  private static boolean sameSession(RequestId holder, Request request) {
    return holder.session().equals(request.id().session());
  }

  private static boolean sameProcess(Holder holder, Request request) {
    return holder.process().equals(request.process());
  }

  private static LockBackend takingFromTheLapsed(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        Attempt attempt = super.grab(request, deadline);
        if (attempt instanceof Refused refused) {
          Holder holder = refused.record().holder().orElseThrow();
          if (holder.liveness() == Liveness.LAPSED) {
            super.end(holder.request().session(), EndIf.CLOSED, deadline);
            Observed head =
                new Observed(request.name(), refused.record().number(), holder.request());
            return super.overtake(request, head, deadline);
          }
        }
        return attempt;
      }
    };
  }
}
