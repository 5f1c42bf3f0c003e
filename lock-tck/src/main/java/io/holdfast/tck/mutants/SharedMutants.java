package io.holdfast.tck.mutants;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.spi.answer.Standing.Holding;
import io.holdfast.spi.answer.Standing.Waiting;
import io.holdfast.tck.faults.InterceptedBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Mistakes about requests that share a lock. */
final class SharedMutants {

  private SharedMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "only-holders-overtaken",
            "† A waiting request whose session is over may be removed by anybody, too",
            SharedMutants::namingHoldersOnly,
            "SharedRules.aDeadExclusiveRequestThatWaitsKeepsNoSharedOneOut",
            "DeadWaiterRules.aWaiterInTheMiddleWhoseSessionEndedIsAnObstacleThatAnybodyRemoves"),
        Mutant.ofBackend(
            "reader-names-only-writers",
            "† A shared request learns of a dead run that it may not join",
            ReaderNamesOnlyWriters::new,
            "SharedFailOverRules.aRunFromBeforeALossIsNotJoined"),
        Mutant.ofEngine(
            "downgrade-given-up",
            "† A downgrade is repeated until it is answered",
            DowngradesOnce::new,
            "SharedClientRules.aDowngradeThatWasNotAnsweredIsRepeated"),
        Mutant.ofEngine(
            "riders-not-looked-at",
            "† The heartbeat's look covers shared requests that threads ride on",
            RidersNotLookedAt::new,
            "SharedClientRules.noThreadGetsOnOnceItsClientKnowsThatAWriterWaits"),
        Mutant.ofEngine(
            "one-request-of-a-lock",
            "Readers of one client hold together, whatever they say of themselves",
            OneRequestOfALock::new,
            "SharedClientRules.threadsOfOneClientReadTogetherOnDifferentTerms"),
        Mutant.ofBackend(
            "session-shares-once",
            "Requests of one session that share a lock count one by one",
            SharesOnce::new,
            "SharedClientRules.threadsOfOneClientReadTogetherOnDifferentTerms"));
  }

  private static LockBackend namingHoldersOnly(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
        return super.look(session, requests, deadline).stream()
            .map(standing -> without(standing, obstacle -> !obstacle.isHead()))
            .toList();
      }
    };
  }

  private static Standing without(Standing standing, Predicate<Obstacle> obstacles) {
    return standing instanceof Waiting waiting
        ? new Waiting(
            waiting.ahead(),
            waiting.obstacles().stream().filter(obstacles.negate()).toList(),
            waiting.nextDue())
        : standing;
  }

  private static final class ReaderNamesOnlyWriters extends InterceptedBackend {
    private final Set<RequestId> shared = ConcurrentHashMap.newKeySet();

    ReaderNamesOnlyWriters(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      if (request.mode() == LockMode.SHARED) {
        shared.add(request.id());
      }
      return super.grab(request, deadline);
    }

    @Override
    public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
      List<Standing> told = new ArrayList<>(super.look(session, requests, deadline));
      for (int i = 0; i < told.size(); i++) {
        RequestKey key = requests.get(i);
        if (shared.contains(key.request()) && isShared(key.name(), deadline)) {
          told.set(i, without(told.get(i), Obstacle::isHead));
        }
      }
      return told;
    }

    private boolean isShared(LockName name, Deadline deadline) {
      return target().inspect(name, deadline).stream()
          .flatMap(record -> record.holders().stream())
          .anyMatch(holder -> holder.mode() == LockMode.SHARED);
    }
  }

  private static final class DowngradesOnce extends InterceptedBackend {
    private final Set<RequestKey> givenUp = ConcurrentHashMap.newKeySet();

    DowngradesOnce(LockBackend target) {
      super(target);
    }

    @Override
    public OptionalLong downgrade(RequestKey key, Deadline deadline) {
      if (givenUp.contains(key)) {
        return OptionalLong.empty();
      }
      try {
        return super.downgrade(key, deadline);
      } catch (BackendFailure e) {
        givenUp.add(key);
        throw e;
      }
    }
  }

  private static final class RidersNotLookedAt extends InterceptedBackend {
    private final Set<LockName> shared = ConcurrentHashMap.newKeySet();

    RidersNotLookedAt(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      Attempt attempt = super.grab(request, deadline);
      if (request.mode() == LockMode.SHARED && attempt instanceof Attempt.Granted) {
        shared.add(request.name());
      }
      return attempt;
    }

    @Override
    public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
      return super.look(session, requests, deadline).stream()
          .map(
              standing ->
                  standing instanceof Holding holding && holding.mode() == LockMode.SHARED
                      ? new Holding(
                          holding.number(),
                          holding.since(),
                          Contention.NOBODY_WAITS,
                          holding.mode())
                      : standing)
          .toList();
    }

    @Override
    public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
      return super.listen(session, new HintsOf(name -> !shared.contains(name), listener), deadline);
    }
  }

  /** While the client shares a lock, no further reader of it gets to the store. */
  private static final class OneRequestOfALock extends InterceptedBackend {
    private final Map<LockName, RequestId> sharing = new ConcurrentHashMap<>();

    OneRequestOfALock(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      RequestId first = sharing.getOrDefault(request.name(), request.id());
      if (request.mode() == LockMode.SHARED && !first.equals(request.id())) {
        LockRecord unknown = LockRecord.unknown(request.name());
        return new Attempt.Refused(
            super.inspect(request.name(), deadline).orElse(unknown), Optional.empty());
      }
      Attempt attempt = super.grab(request, deadline);
      if (request.mode() == LockMode.SHARED && attempt instanceof Attempt.Granted) {
        sharing.put(request.name(), request.id());
      }
      return attempt;
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      sharing.remove(name, request);
      return super.release(name, request, deadline);
    }
  }

  /** A second request of a session is told that it holds, because the session does. */
  private static final class SharesOnce extends InterceptedBackend {
    private final Set<RequestKey> sharing = ConcurrentHashMap.newKeySet();

    SharesOnce(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      if (request.mode() != LockMode.SHARED) {
        return super.grab(request, deadline);
      }
      for (RequestKey first : sharing) {
        boolean isOfItsSession = first.request().session().equals(request.id().session());
        if (isOfItsSession
            && first.name().equals(request.name())
            && super.look(request.id().session(), List.of(first), deadline).get(0)
                instanceof Holding holding) {
          return new Attempt.Granted(holding.number(), holding.since(), holding.contention());
        }
      }
      Attempt attempt = super.grab(request, deadline);
      if (attempt instanceof Attempt.Granted) {
        sharing.add(request.key());
      }
      return attempt;
    }
  }
}
