package io.holdfast.memory.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.tck.history.check.UnsoundHistoryError;
import io.holdfast.tck.history.check.Violation;
import io.holdfast.tck.history.check.Violation.BelievedAfterItsEnd;
import io.holdfast.tck.history.check.Violation.HeldTogether;
import io.holdfast.tck.history.check.Violation.LeftHeld;
import io.holdfast.tck.history.check.Violation.QueueJumped;
import io.holdfast.tck.history.check.Violation.TakenWhileItStays;
import io.holdfast.tck.history.check.Violation.TokenFell;
import io.holdfast.tck.history.check.Violation.TokenReused;
import io.holdfast.tck.history.check.Violation.WaitedWhileFree;
import io.holdfast.tck.process.ConcurrencyRules;
import io.holdfast.tck.process.CrashRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules reject a store with a flaw, and say why. */
@Tag("long")
@Execution(ExecutionMode.CONCURRENT)
class FlawedToyTest {

  private static final Duration TTL = Duration.ofMillis(400);

  // Short, because a flaw often shows in that something does not happen; but what does happen
  // happens by then on a slow machine, too.
  private static final Duration TIMEOUT = Duration.ofSeconds(8);

  private interface Kit extends ConcurrencyRules, CrashRules {}

  private interface Rule {
    void hold(Kit kit) throws Exception;
  }

  @TempDir Path directory;

  @ParameterizedTest(name = "{0}")
  @MethodSource("flaws")
  void aFlawIsRejectedForWhatItShows(Flaw flaw, Rule rule, Class<? extends Violation> shown) {
    requireRejected(new ToySubject(directory, flaw, TTL, TIMEOUT), rule, shown);
  }

  /** The work of a run is as much where its clients take longer to connect than it shall last. */
  @Test
  void aFlawIsRejectedWhereConnectingTakesLong() {
    ToySubject subject =
        new ToySubject(directory, Flaw.FORGETS_TO_LEAVE_THE_QUEUE, TTL, TIMEOUT, TTL.plus(TTL));

    requireRejected(
        subject, ConcurrencyRules::clientsOfOneProcessNeverHoldTogether, WaitedWhileFree.class);
  }

  /** The TTL is long: on a slow machine too the lock passes on long before it may. */
  @ParameterizedTest
  @EnumSource(names = {"FREES_WHAT_STAYS", "DELAYS_NOTHING"})
  void whatDoesNotStayAfterTheDeathOfItsProcessIsRejected(Flaw flaw) {
    ToySubject subject = new ToySubject(directory, flaw, TTL.multipliedBy(5), TIMEOUT);

    requireRejected(
        subject,
        CrashRules::whatAKilledProcessHeldOrGaveBackStaysTakenForItsTime,
        TakenWhileItStays.class);
  }

  private static void requireRejected(
      ToySubject subject, Rule rule, Class<? extends Violation> shown) {
    Kit kit = () -> subject;

    AssertionError rejection = catchThrowableOfType(AssertionError.class, () -> rule.hold(kit));

    assertThat(rejection).as("rejection of %s", subject.flaw()).isNotNull();
    assertThat(violations(rejection)).hasAtLeastOneElementOfType(shown);
  }

  static Stream<Arguments> flaws() {
    Rule manyClients = ConcurrencyRules::clientsOfOneProcessNeverHoldTogether;
    Rule inOrder = ConcurrencyRules::clientsOfOneProcessAreServedInTheOrderInWhichTheyQueued;
    Rule clientClosed = ConcurrencyRules::aClientThatIsClosedWhileItHoldsOrWaitsLeavesNothing;
    Rule waiterKilled = CrashRules::aWaiterThatHasBeenDeadForLongBlocksNobody;
    Rule holderKilled = CrashRules::aHolderThatIsKilledIsFollowedByTheNextWaiter;
    Rule holderPaused = CrashRules::aHolderThatWasPausedPastItsLeaseSeesTheLossFirst;
    return Stream.of(
        Arguments.of(Flaw.FREES_WHAT_STAYS, manyClients, TakenWhileItStays.class),
        Arguments.of(Flaw.HOLDS_WITHOUT_END, manyClients, BelievedAfterItsEnd.class),
        Arguments.of(Flaw.ADMITS_TWO, manyClients, HeldTogether.class),
        Arguments.of(Flaw.TOKENS_FALL, manyClients, TokenFell.class),
        Arguments.of(Flaw.TOKENS_REPEAT, manyClients, TokenReused.class),
        Arguments.of(Flaw.BELIEVES_WHEN_RELEASED, manyClients, BelievedAfterItsEnd.class),
        Arguments.of(Flaw.FORGETS_TO_LEAVE_THE_QUEUE, manyClients, WaitedWhileFree.class),
        Arguments.of(Flaw.FORGETS_TO_RELEASE_ON_CLOSE, clientClosed, LeftHeld.class),
        Arguments.of(Flaw.SERVES_LAST_FIRST, inOrder, QueueJumped.class),
        Arguments.of(Flaw.KEEPS_DEAD_WAITERS, waiterKilled, WaitedWhileFree.class),
        Arguments.of(Flaw.NEVER_ENDS_SESSIONS, holderKilled, WaitedWhileFree.class),
        Arguments.of(Flaw.BELIEVES_WHEN_LOST, holderPaused, HeldTogether.class));
  }

  private static Stream<Violation> violations(AssertionError rejection) {
    return Stream.concat(
            Stream.ofNullable(rejection.getCause()), Stream.of(rejection.getSuppressed()))
        .filter(UnsoundHistoryError.class::isInstance)
        .flatMap(error -> ((UnsoundHistoryError) error).violations().stream());
  }
}
