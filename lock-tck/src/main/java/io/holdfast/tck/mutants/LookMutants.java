package io.holdfast.tck.mutants;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
import io.holdfast.spi.answer.Standing.Waiting;
import io.holdfast.tck.faults.InterceptedBackend;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Mistakes in telling how requests stand. */
final class LookMutants {

  private static final int FIRST_BATCH = 100;

  private LookMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "the-dead-block",
            "† Whoever waits behind the dead learns of them (known failures 13 and 26)",
            target ->
                telling(
                    target, waiting -> new Waiting(waiting.ahead(), List.of(), waiting.nextDue())),
            "DeadWaiterRules.aHolderAndTheNextWaiterDeadTogetherStrandNobody",
            "DeadWaiterRules.aWaiterWhoseSessionEndedIsNotLeftAsHolder",
            "LookRules.aHolderThatLapsedIsAnObstacleUntilItRenews"),
        Mutant.ofBackend(
            "only-a-dead-holder-is-told",
            "A waiter whose session ended blocks nobody (known failure 13)",
            target -> telling(target, LookMutants::withHeadOnly),
            "DeadWaiterRules.aWaiterInTheMiddleWhoseSessionEndedIsAnObstacleThatAnybodyRemoves"),
        Mutant.ofBackend(
            "only-dead-waiters-are-told",
            "† A holder that died is seen by those who wait, not only by newcomers",
            target -> telling(target, LookMutants::withoutHead),
            "DeadWaiterRules.aHolderAndTheNextWaiterDeadTogetherStrandNobody",
            "RevokeRules.aLockRevokedAWholeTtlAgoIsOvertakenAlthoughItsHolderRenews"),
        Mutant.ofBackend(
            "dead-holder-seems-alive",
            "A newcomer learns that the holder does not count (known failure 25)",
            LookMutants::seeingEverybodyAlive,
            "OvertakeRules.aHolderWhoseSessionEndedIsOvertaken"),
        Mutant.ofBackend(
            "look-at-an-old-copy",
            "A look sees what was done before it (known failure 52)",
            LookMutants::remembering,
            "LookRules.aLookSeesWhatAnotherClientHasJustDone",
            "QueueRules.aReleaseHandsTheLockToTheNextWaiter"),
        Mutant.ofBackend(
            "look-at-the-first-batch",
            "A look tells of every request it was asked about",
            LookMutants::firstBatch,
            "LookRules.aLookAtManyRequestsTellsOfEach"),
        Mutant.ofBackend(
            "look-in-another-order",
            "A look answers in the order asked",
            LookMutants::inAnotherOrder,
            "LookRules.aLookTellsHowEachRequestStandsInTheOrderAsked"),
        Mutant.ofBackend(
            "look-in-two-reads",
            "What has held since it was seen to wait, and died, was a holder",
            LookMutants::inTwoReads,
            "InterleavingRules.aRequestThatHoldsAndDiesWhileAnotherLooksHasItsDelay"),
        Mutant.ofBackend(
            "push-claimed-but-not-sent",
            "What is claimed is done (known failure 43)",
            LookMutants::silent,
            "QueueRules.aWaiterIsHintedThatItIsItsTurnWherePushIsClaimed"));
  }

  private static LockBackend telling(LockBackend target, UnaryOperator<Waiting> change) {
    return new InterceptedBackend(target) {
      @Override
      public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
        return super.look(session, requests, deadline).stream()
            .map(standing -> standing instanceof Waiting waiting ? change.apply(waiting) : standing)
            .toList();
      }
    };
  }

  private static Waiting withHeadOnly(Waiting waiting) {
    return new Waiting(
        waiting.ahead(),
        waiting.obstacles().stream().filter(Obstacle::isHead).toList(),
        waiting.nextDue());
  }

  private static Waiting withoutHead(Waiting waiting) {
    return new Waiting(
        waiting.ahead(),
        waiting.obstacles().stream().filter(obstacle -> !obstacle.isHead()).toList(),
        waiting.nextDue());
  }

  private static LockBackend seeingEverybodyAlive(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        Attempt attempt = super.grab(request, deadline);
        return attempt instanceof Attempt.Refused refused
            ? new Attempt.Refused(alive(refused.record()), refused.nextDue())
            : attempt;
      }
    };
  }

  private static LockRecord alive(LockRecord record) {
    return new LockRecord(
        record.name(),
        record.number(),
        record
            .holder()
            .map(
                holder ->
                    new Holder(
                        holder.request(),
                        holder.mode(),
                        holder.process(),
                        holder.why(),
                        holder.payload(),
                        holder.since(),
                        Liveness.LIVE,
                        holder.revokedAt())),
        record.waiters());
  }

  private static LockBackend remembering(LockBackend target) {
    return new InterceptedBackend(target) {
      private final Map<RequestKey, Standing> copy = new HashMap<>();

      @Override
      public synchronized List<Standing> look(
          SessionId session, List<RequestKey> requests, Deadline deadline) {
        List<Standing> fresh = super.look(session, requests, deadline);
        for (int i = 0; i < fresh.size(); i++) {
          // Also a request that no look has asked about yet is as it was a moment ago.
          copy.putIfAbsent(requests.get(i), new Standing.Absent());
        }
        List<Standing> old = requests.stream().map(copy::get).toList();
        for (int i = 0; i < fresh.size(); i++) {
          copy.put(requests.get(i), fresh.get(i));
        }
        return old;
      }
    };
  }

  private static LockBackend firstBatch(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
        return super.look(
            session, requests.subList(0, Math.min(FIRST_BATCH, requests.size())), deadline);
      }
    };
  }

  private static LockBackend inAnotherOrder(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
        List<RequestKey> sorted =
            requests.stream().sorted((one, other) -> one.name().compareTo(other.name())).toList();
        return super.look(session, sorted, deadline);
      }
    };
  }

  /** It reads the queues first, and later who in them does not count any more. */
  private static LockBackend inTwoReads(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
        Map<LockName, Observed> heads = new HashMap<>();
        requests.forEach(
            key ->
                inspect(key.name(), deadline)
                    .flatMap(LookMutants::head)
                    .ifPresent(head -> heads.put(key.name(), head)));
        return super.look(session, requests, deadline).stream()
            .map(
                standing -> standing instanceof Waiting waiting ? behind(heads, waiting) : standing)
            .toList();
      }
    };
  }

  private static Optional<Observed> head(LockRecord record) {
    return record
        .holder()
        .map(holder -> new Observed(record.name(), record.number(), holder.request()));
  }

  private static Waiting behind(Map<LockName, Observed> heads, Waiting waiting) {
    List<Obstacle> obstacles =
        waiting.obstacles().stream()
            .map(
                obstacle ->
                    new Obstacle(
                        heads.getOrDefault(obstacle.head().name(), obstacle.head()),
                        obstacle.request(),
                        obstacle.liveness()))
            .toList();
    return new Waiting(waiting.ahead(), obstacles, waiting.nextDue());
  }

  private static LockBackend silent(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
        return () -> {};
      }
    };
  }
}
