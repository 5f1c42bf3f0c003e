package io.holdfast.tck.mutants;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.faults.InterceptedBackend;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Mistakes about the life of a session. */
final class SessionMutants {

  private SessionMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofStore(
            "ended-session-revived",
            "A session that was ended never renews again (known failure 15)",
            () -> {
              Map<SessionId, SessionSpec> opened = new ConcurrentHashMap<>();
              return (options, store) -> new EndedSessionRevived(store.apply(options), opened);
            },
            "SessionRules.aSessionThatEndedNeverRenewsAgain",
            "SessionRules.aSessionThatLapsedIsEndedByAnybodyForGood",
            "UnsettledRules.aLateCopyOfARenewalRevivesNobody"),
        Mutant.ofBackend(
            "renewal-creates-a-session",
            "A renewal never creates a session (known failure 15)",
            RenewalCreates::new,
            "SessionRules.aRenewalNeverCreatesASession",
            "SessionRules.aSessionThatEndedNeverRenewsAgain"),
        Mutant.ofBackend(
            "over-when-its-time-has-passed",
            "† A session is over when it was ended, not when its time has passed",
            OverWhenTimeHasPassed::new,
            "SessionRules.aSessionThatLapsedButWasNotEndedComesBack"),
        Mutant.ofBackend(
            "anybody-ends-a-living-session",
            "Only a session that has lapsed is ended by others",
            AnybodyEnds::new,
            "SessionRules.aSessionInItsLeaseIsNotEndedByOthers",
            "SessionRules.aLateRenewalGivesAWholeTtl",
            "ClockRules.aStepForwardWithinTheBoundEndsNoSession"),
        Mutant.ofBackend(
            "lapsed-session-never-ended",
            "A session that lapsed is ended by anybody (known failure 25)",
            NeverEnded::new,
            "SessionRules.aSessionThatLapsedIsEndedByAnybodyForGood",
            "OvertakeRules.aHolderThatLapsedIsOvertakenOnceItWasEnded"),
        Mutant.ofStore(
            "session-is-its-process",
            "Two processes that call themselves alike are two (known failure 41)",
            () -> {
              Map<ProcessIdentity, SessionId> sessions = new ConcurrentHashMap<>();
              return (options, store) -> new SessionIsItsProcess(store.apply(options), sessions);
            },
            "SessionRules.twoSessionsOfOneProcessAreTwo"),
        Mutant.ofStore(
            "renewal-bound-to-the-last-one",
            "A renewal depends on the session alone (known failures 16 and 28)",
            () -> {
              Map<SessionId, Integer> versions = new ConcurrentHashMap<>();
              return (options, store) -> new VersionedRenewal(store.apply(options), versions);
            },
            "SessionRules.aSessionRenewsAgainAndAgainFromAnyConnection"),
        Mutant.ofBackend(
            "second-opening-ends-the-first",
            "† A late copy of an opening does no harm",
            SecondOpeningEnds::new,
            "SessionRules.aSecondCopyOfAnOpeningChangesNothing"),
        Mutant.ofBackend(
            "closing-a-connection-closes-its-sessions",
            "A session is not its connection (known failure 3)",
            ClosesSessions::new,
            "CallRules.closingAConnectionEndsNoSession"));
  }

  private static final class EndedSessionRevived extends InterceptedBackend {
    private final Map<SessionId, SessionSpec> opened;

    EndedSessionRevived(LockBackend target, Map<SessionId, SessionSpec> opened) {
      super(target);
      this.opened = opened;
    }

    @Override
    public Opened open(SessionSpec spec, Deadline deadline) {
      opened.put(spec.id(), spec);
      return super.open(spec, deadline);
    }

    @Override
    public Renewed renew(SessionId session, Deadline deadline) {
      SessionSpec spec = opened.get(session);
      Renewed renewed = super.renew(session, deadline);
      if (renewed instanceof Renewed.Over && spec != null) {
        super.open(spec, deadline);
        return super.renew(session, deadline);
      }
      return renewed;
    }
  }

  private static final class RenewalCreates extends InterceptedBackend {
    RenewalCreates(LockBackend target) {
      super(target);
    }

    @Override
    public Renewed renew(SessionId session, Deadline deadline) {
      if (super.renew(session, deadline) instanceof Renewed.Over) {
        Duration ttl = Duration.ofSeconds(1);
        super.open(new SessionSpec(session, ttl, 0, ProcessIdentity.ofThisProcess()), deadline);
      }
      return super.renew(session, deadline);
    }
  }

  private static final class OverWhenTimeHasPassed extends InterceptedBackend {
    OverWhenTimeHasPassed(LockBackend target) {
      super(target);
    }

    @Override
    public Renewed renew(SessionId session, Deadline deadline) {
      return super.end(session, EndIf.LAPSED, deadline) == Ended.OVER
          ? new Renewed.Over()
          : super.renew(session, deadline);
    }
  }

  private static final class AnybodyEnds extends InterceptedBackend {
    AnybodyEnds(LockBackend target) {
      super(target);
    }

    @Override
    public Ended end(SessionId session, EndIf when, Deadline deadline) {
      return super.end(session, EndIf.CLOSED, deadline);
    }
  }

  private static final class NeverEnded extends InterceptedBackend {
    NeverEnded(LockBackend target) {
      super(target);
    }

    @Override
    public Ended end(SessionId session, EndIf when, Deadline deadline) {
      return when == EndIf.LAPSED ? Ended.ALIVE : super.end(session, when, deadline);
    }
  }

  private static final class SessionIsItsProcess extends InterceptedBackend {
    private final Map<ProcessIdentity, SessionId> sessions;

    SessionIsItsProcess(LockBackend target, Map<ProcessIdentity, SessionId> sessions) {
      super(target);
      this.sessions = sessions;
    }

    @Override
    public Opened open(SessionSpec spec, Deadline deadline) {
      SessionId before = sessions.put(spec.process(), spec.id());
      if (before != null) {
        super.end(before, EndIf.CLOSED, deadline);
      }
      return super.open(spec, deadline);
    }
  }

  private static final class VersionedRenewal extends InterceptedBackend {
    private final Map<SessionId, Integer> versions;
    private final Map<SessionId, Integer> known = new HashMap<>();

    VersionedRenewal(LockBackend target, Map<SessionId, Integer> versions) {
      super(target);
      this.versions = versions;
    }

    @Override
    public synchronized Renewed renew(SessionId session, Deadline deadline) {
      int version = versions.merge(session, 1, Integer::sum);
      Integer before = known.put(session, version);
      return before == null || before == version - 1
          ? super.renew(session, deadline)
          : new Renewed.Over();
    }
  }

  private static final class SecondOpeningEnds extends InterceptedBackend {
    SecondOpeningEnds(LockBackend target) {
      super(target);
    }

    @Override
    public Opened open(SessionSpec spec, Deadline deadline) {
      if (super.renew(spec.id(), deadline) instanceof Renewed.Alive) {
        super.end(spec.id(), EndIf.CLOSED, deadline);
      }
      return super.open(spec, deadline);
    }
  }

  private static final class ClosesSessions extends InterceptedBackend {
    private final Map<SessionId, Boolean> mine = new ConcurrentHashMap<>();

    ClosesSessions(LockBackend target) {
      super(target);
    }

    @Override
    public Opened open(SessionSpec spec, Deadline deadline) {
      mine.put(spec.id(), true);
      return super.open(spec, deadline);
    }

    @Override
    public void close() {
      Deadline soon = Deadline.in(Duration.ofSeconds(5));
      mine.keySet().forEach(session -> super.end(session, EndIf.CLOSED, soon));
      mine.clear();
      super.close();
    }
  }
}
