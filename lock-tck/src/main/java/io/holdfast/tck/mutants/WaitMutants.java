package io.holdfast.tck.mutants;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Attempt.Granted;
import io.holdfast.spi.answer.Attempt.QueueFull;
import io.holdfast.spi.answer.Attempt.Refused;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.spi.answer.Standing.Holding;
import io.holdfast.spi.answer.Standing.Waiting;
import io.holdfast.tck.faults.InterceptedBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Mistakes in telling how long a wait may last, who waits, and how many may. */
final class WaitMutants {

  private WaitMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofBackend(
            "nothing-falls-due",
            "A waiter looks when what is ahead of it falls due, not only when it renews",
            target -> due(target, told -> Optional.empty()),
            "DueRules.aWaiterLearnsWhenItsHolderFallsDue",
            "DueRules.aNewcomerLearnsWhenTheHolderFallsDue",
            "DueRules.aWaiterFurtherBehindLearnsWhenTheOneBeforeItFallsDue",
            "DueRules.aRevocationFallsDueBeforeALeaseThatIsRenewed"),
        Mutant.ofBackend(
            "due-an-hour-late",
            "What falls due is told in time",
            target -> due(target, told -> told.map(remaining -> remaining.plusHours(1))),
            "DueRules.aWaiterLearnsWhenItsHolderFallsDue",
            "DueRules.aRevocationFallsDueBeforeALeaseThatIsRenewed"),
        Mutant.ofBackend(
            "nobody-ever-waits",
            "A holder is not told that nobody waits where somebody does",
            target -> contention(target, Contention.NOBODY_WAITS),
            "ContentionRules.aHolderIsNotToldThatNobodyWaitsWhereSomebodyDoes",
            "ContentionRules.whoIsHandedTheLockIsToldOfThoseBehindIt",
            "ContentionRules.whoOvertakesIsToldOfThoseBehindIt"),
        Mutant.ofBackend(
            "somebody-always-waits",
            "A holder is not told that somebody waits where nobody does",
            target -> contention(target, Contention.SOMEBODY_WAITS),
            "ContentionRules.aHolderIsNotToldThatSomebodyWaitsWhereNobodyDoes",
            "ContentionRules.whoIsHandedTheLockIsToldOfThoseBehindIt"),
        Mutant.ofStore(
            "queue-without-an-end",
            "A queue has an end",
            () ->
                (options, store) ->
                    store.apply(new BackendOptions(options.namespace(), options.restartGuard())),
            "QueueLimitRules.theFourthWhereThreeMayWaitIsTurnedAwayAndLeavesNothing"),
        Mutant.ofStore(
            "turned-away-but-in-the-queue",
            "Who is turned away leaves nothing in the queue",
            () ->
                (options, store) ->
                    turningAwayTooLate(
                        store.apply(
                            new BackendOptions(options.namespace(), options.restartGuard())),
                        options),
            "QueueLimitRules.theFourthWhereThreeMayWaitIsTurnedAwayAndLeavesNothing"),
        Mutant.ofStore(
            "stays-are-not-hinted",
            "The first waiter hears that its holder stays: when it may look again is another time",
            () -> {
              Set<LockName> staying = ConcurrentHashMap.newKeySet();
              return (options, store) -> new SilentAboutStays(store.apply(options), staying);
            },
            "QueueRules.theFirstWaiterHearsThatItsHolderStays"));
  }

  private static LockBackend due(LockBackend target, UnaryOperator<Optional<Duration>> change) {
    return telling(
        target,
        attempt ->
            attempt instanceof Refused refused
                ? new Refused(refused.record(), change.apply(refused.nextDue()))
                : attempt,
        standing ->
            standing instanceof Waiting waiting
                ? new Waiting(waiting.ahead(), waiting.obstacles(), change.apply(waiting.nextDue()))
                : standing);
  }

  private static LockBackend contention(LockBackend target, Contention always) {
    return telling(
        target,
        attempt ->
            attempt instanceof Granted granted
                ? new Granted(granted.number(), granted.since(), always)
                : attempt,
        standing ->
            standing instanceof Holding holding
                ? new Holding(holding.number(), holding.since(), always)
                : standing);
  }

  private static LockBackend telling(
      LockBackend target, UnaryOperator<Attempt> attempts, UnaryOperator<Standing> standings) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        return attempts.apply(super.grab(request, deadline));
      }

      @Override
      public Attempt overtake(Request request, Observed head, Deadline deadline) {
        return attempts.apply(super.overtake(request, head, deadline));
      }

      @Override
      public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
        return super.look(session, requests, deadline).stream().map(standings).toList();
      }
    };
  }

  private static LockBackend turningAwayTooLate(LockBackend target, BackendOptions options) {
    return new InterceptedBackend(target) {
      @Override
      public Attempt grab(Request request, Deadline deadline) {
        Attempt attempt = super.grab(request, deadline);
        boolean full =
            attempt instanceof Attempt.Queued
                && options.maxWaiters().isPresent()
                && super.inspect(request.name(), deadline).orElseThrow().waiters().size()
                    > options.maxWaiters().getAsInt();
        return full ? new QueueFull("maxWaiters=" + options.maxWaiters().getAsInt()) : attempt;
      }
    };
  }

  /** Gives hints of a lock that passes on, and none of one that stays. */
  private static final class SilentAboutStays extends InterceptedBackend {
    private final Set<LockName> staying;

    SilentAboutStays(LockBackend target, Set<LockName> staying) {
      super(target);
      this.staying = staying;
    }

    @Override
    public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
      staying.add(key.name());
      return super.releaseAfter(key, stay, deadline);
    }

    @Override
    public Attempt overtake(Request request, Observed head, Deadline deadline) {
      staying.remove(head.name());
      return super.overtake(request, head, deadline);
    }

    @Override
    public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
      return super.listen(
          session, new HintsOf(name -> !staying.contains(name), listener), deadline);
    }
  }
}
