package io.holdfast.tck.mutants;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.faults.InterceptedBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Mistakes in giving a lock back. */
final class ReleaseMutants {

  private ReleaseMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "release-by-name",
            "Nobody frees what another holds (known failures 24 and 33)",
            ReleaseMutants::byName,
            "ReleaseRules.aReleaseByAnotherRequestFreesNothing",
            "ReleaseRules.releasingTwiceFreesNothingMore",
            "ReleaseRules.aReleaseAfterBeingOvertakenFreesNothing",
            "UnsettledRules.aLateCopyOfAReleaseFreesNothing"),
        Mutant.ofBackend(
            "release-by-session",
            "A release is for the request that it names (known failure 29)",
            ReleaseMutants::bySession,
            "ReleaseRules.anEarlierRequestOfTheHolderReleasesNothing"),
        Mutant.ofBackend(
            "waiter-cannot-leave",
            "A waiter that gives up is gone at once (known failures 6 and 37)",
            ReleaseMutants::ofHolderOnly,
            "QueueRules.aWaiterThatGivesUpIsGoneAtOnce",
            "QueueRules.whoWaitedBehindOneThatGaveUpIsNext",
            "UnsettledRules.aLateCopyOfAGrabAfterItsWithdrawalIsSeenByLookAndReleased",
            "StressRules.nobodyIsLostWhereAQueueIsEmptyNowAndThen"),
        Mutant.ofBackend(
            "waiters-dropped-where-the-lock-was-left-free",
            "† The lock's record decides who is next, and no memory of a lock that was free",
            ReleaseMutants::droppingWaiters,
            "QueueRules.whoWaitsForALockThatItsHolderLeftFreeBeforeIsServed"),
        Mutant.ofBackend(
            "release-needs-a-living-session",
            "Whoever gives back need not live (known failure 3)",
            ReleaseMutants::ofTheLiving,
            "ReleaseRules.aSessionThatIsOverStillReleases"),
        Mutant.ofBackend(
            "release-repeats-the-grab",
            "What was released is held by nobody (known failures 29 and 38)",
            ReleaseMutants::holdingOn,
            "ReleaseRules.aReleaseFreesTheLock"),
        Mutant.ofBackend(
            "release-makes-records",
            "What nobody uses leaves nothing behind (known failure 19)",
            ReleaseMutants::leavingRecords,
            "ReleaseRules.aReleaseOfALockThatNobodyEverTookLeavesNothingBehind"),
        Mutant.ofBackend(
            "least-time-not-kept",
            "What was released before its least time is up stays taken",
            ReleaseMutants::atOnce,
            "StayRules.aLockThatIsGivenBackEarlyStaysTaken",
            "StressRules.whatStaysIsGivenToNobodyMeanwhile"),
        Mutant.ofBackend(
            "end-of-session-releases",
            "Whose session is ended has not given back what it held",
            ReleasedAtTheEnd::new,
            "StayRules.aSessionThatIsEndedBeforeItsHolderReleasesLeavesTheDelay"));
  }

  private static LockBackend byName(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Released release(LockName name, RequestId request, Deadline deadline) {
        return super.release(name, holder(this, name, deadline).orElse(request), deadline);
      }
    };
  }

  private static LockBackend bySession(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Released release(LockName name, RequestId request, Deadline deadline) {
        RequestId released =
            holder(this, name, deadline)
                .filter(holder -> holder.session().equals(request.session()))
                .orElse(request);
        return super.release(name, released, deadline);
      }
    };
  }

  private static LockBackend ofHolderOnly(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Released release(LockName name, RequestId request, Deadline deadline) {
        return holder(this, name, deadline).filter(request::equals).isPresent()
            ? super.release(name, request, deadline)
            : Released.WAS_WAITING;
      }
    };
  }

  private static LockBackend droppingWaiters(LockBackend target) {
    return new InterceptedBackend(target) {
      private final Set<LockName> leftFree = ConcurrentHashMap.newKeySet();

      @Override
      public Released release(LockName name, RequestId request, Deadline deadline) {
        if (leftFree.contains(name)) {
          List<Waiter> waiters =
              super.inspect(name, deadline).map(LockRecord::waiters).orElse(List.of());
          waiters.forEach(waiter -> super.release(name, waiter.request(), deadline));
        }
        Released released = super.release(name, request, deadline);
        if (released == Released.FREED) {
          leftFree.add(name);
        }
        return released;
      }
    };
  }

  private static LockBackend atOnce(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
        Released unused = super.release(key.name(), key.request(), deadline);
        return Released.STAYS;
      }
    };
  }

  private static LockBackend ofTheLiving(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Released release(LockName name, RequestId request, Deadline deadline) {
        return super.renew(request.session(), deadline) instanceof Renewed.Over
            ? Released.NOTHING
            : super.release(name, request, deadline);
      }
    };
  }

  /** A driver that retries on its own: the copy of the grab comes after the release. */
  private static LockBackend holdingOn(LockBackend target) {
    return new InterceptedBackend(target) {
      private volatile Optional<Request> last = Optional.empty();

      @Override
      public Attempt grab(Request request, Deadline deadline) {
        last = Optional.of(request);
        return super.grab(request, deadline);
      }

      @Override
      public Released release(LockName name, RequestId request, Deadline deadline) {
        Released released = super.release(name, request, deadline);
        last.filter(late -> late.id().equals(request))
            .ifPresent(late -> super.grab(late, deadline));
        return released;
      }
    };
  }

  private static LockBackend leavingRecords(LockBackend target) {
    return new InterceptedBackend(target) {
      private volatile boolean touched;

      @Override
      public Released release(LockName name, RequestId request, Deadline deadline) {
        Released released = super.release(name, request, deadline);
        touched |= released == Released.NOTHING;
        return released;
      }

      @Override
      public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
        Optional<LockRecord> record = super.inspect(name, deadline);
        return touched && record.isEmpty() ? Optional.of(LockRecord.unknown(name)) : record;
      }
    };
  }

  private static Optional<RequestId> holder(LockBackend backend, LockName name, Deadline until) {
    return backend.inspect(name, until).flatMap(LockRecord::holder).map(Holder::request);
  }

  private static final class ReleasedAtTheEnd extends InterceptedBackend {
    private final Queue<RequestKey> granted = new ConcurrentLinkedQueue<>();

    ReleasedAtTheEnd(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      Attempt attempt = super.grab(request, deadline);
      if (attempt instanceof Attempt.Granted) {
        granted.add(request.key());
      }
      return attempt;
    }

    @Override
    public Ended end(SessionId session, EndIf when, Deadline deadline) {
      if (when == EndIf.CLOSED) {
        granted.stream()
            .filter(key -> key.request().session().equals(session))
            .forEach(key -> super.release(key.name(), key.request(), deadline));
      }
      return super.end(session, when, deadline);
    }
  }
}
