package io.holdfast.tck.history.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Capabilities.Order;
import io.holdfast.tck.history.Forgery;
import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryLine;
import io.holdfast.tck.history.check.Violation.BelievedAfterItsEnd;
import io.holdfast.tck.history.check.Violation.HeldTogether;
import io.holdfast.tck.history.check.Violation.LeftHeld;
import io.holdfast.tck.history.check.Violation.NeverReturned;
import io.holdfast.tck.history.check.Violation.OverranMaxWait;
import io.holdfast.tck.history.check.Violation.QueueJumped;
import io.holdfast.tck.history.check.Violation.StaleWriteAccepted;
import io.holdfast.tck.history.check.Violation.TokenFell;
import io.holdfast.tck.history.check.Violation.TokenReused;
import io.holdfast.tck.history.check.Violation.UpdateLost;
import io.holdfast.tck.history.check.Violation.WaitedWhileFree;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Forged histories with one flaw each, which is told, and told once. */
class HistoryCheckerTest {

  private static final Expectations FIFO = Expectations.of(Order.FIFO, Duration.ofNanos(1000));

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("forgeries")
  void aForgedFlawIsToldAsWhatItIsAndAsNothingElse(
      Class<? extends Violation> expected, String flaw, String history) {
    assertThat(HistoryChecker.check(Forgery.of(history), FIFO))
        .as(flaw)
        .singleElement()
        .isInstanceOf(expected);
  }

  @Test
  void whatWasLeftInTheStoreIsTold() {
    assertThat(HistoryChecker.check(Forgery.of(""), FIFO.residue(List.of("lock"))))
        .containsExactly(new LeftHeld("lock"));
  }

  @Test
  void everyKindOfViolationIsForged() {
    Set<Object> forged = forgeries().map(row -> row.get()[0]).collect(Collectors.toSet());
    forged.add(LeftHeld.class);
    assertThat(forged)
        .containsExactlyInAnyOrder((Object[]) Violation.class.getPermittedSubclasses());
  }

  @Test
  void aViolationShowsTheEventsThatProveIt() {
    // given
    History history =
        Forgery.of(
            """
            p1: requested 0, granted 10 1, believed 50 51, released 90 91
            p2: requested 20, granted 30 2, believed 40 41, released 45 46
            """);

    // when
    List<Violation> violations = HistoryChecker.check(history, FIFO);

    // then
    assertThat(violations.get(0).evidence())
        .map(HistoryLine::format)
        .containsExactlyInAnyOrder(
            "granted p1/c/w/1 10 1",
            "granted p2/c/w/1 30 2",
            "believed p1/c/w/1 50 51 0",
            "believed p2/c/w/1 40 41 0");
  }

  static Stream<Arguments> forgeries() {
    return Stream.concat(TimesAndDowngrades.forgeries(), ofBothModes());
  }

  private static Stream<Arguments> ofBothModes() {
    return Stream.of(
        Arguments.of(
            HeldTogether.class,
            "one begins to believe before the other has ceased to",
            """
            p1: requested 0, granted 10 1, believed 11 12, believed 50 51, released 60 61
            p2: requested 20, granted 30 2, believed 31 32, believed 70 71, released 80 81
            """),
        Arguments.of(
            HeldTogether.class,
            "one believes while the other does",
            """
            p1: requested 0, granted 10 1, believed 11 12, believed 90 91, released 92 93
            p2: requested 20, granted 30 2, believed 31 32, released 80 81
            """),
        Arguments.of(
            HeldTogether.class,
            "one comes out of jeopardy after the other has held",
            """
            p1: requested 0, granted 10 1, believed 11 12, believed 99 100, released 101 102
            p2: requested 20, granted 30 2, believed 31 32, released 33 34
            """),
        Arguments.of(
            HeldTogether.class,
            "one is granted, though never believed, while the other believes",
            """
            p1: requested 0, granted 10 1, believed 11 12, believed 50 51, released 60 61
            p2: requested 20, granted 30 2, released 31 32
            """),
        Arguments.of(
            TokenFell.class,
            "in the next hold",
            """
            p1: requested 0, granted 10 2, believed 11 12, released 20 21
            p2: requested 30, granted 40 1, believed 41 42, released 50 51
            """),
        Arguments.of(
            TokenFell.class,
            "in a hand-over to one who had waited",
            """
            p1: requested 0, granted 10 2, believed 11 12, released 20 30
            p2: requested 5, granted 22 1, believed 23 24, released 50 51
            """),
        Arguments.of(
            TokenFell.class,
            "between the two before",
            """
            p1: requested 0, granted 10 5, released 20 21
            p2: requested 30, granted 40 7, released 50 51
            p1: requested 60, granted 70 6, released 80 81
            """),
        Arguments.of(
            TokenReused.class,
            "in the next hold",
            """
            p1: requested 0, granted 10 1, believed 11 12, released 20 21
            p2: requested 30, granted 40 1, believed 41 42, released 50 51
            """),
        Arguments.of(
            TokenReused.class,
            "in a hand-over within a client",
            """
            p1/w1: requested 0, granted 10 1, believed 11 12, released 20 21
            p1/w2: requested 5, granted 22 1, believed 23 24, released 50 51
            """),
        Arguments.of(
            StaleWriteAccepted.class,
            "from a holder that was overtaken",
            """
            p1: requested 0, granted 10 1, believed 11 12, written 40 41 1 1 2, released 60 61
            p2: requested 20, granted 30 2, written 31 32 2 0 1, released 50 51
            """),
        Arguments.of(
            UpdateLost.class,
            "by a write that had not read it",
            """
            p1: requested 0, granted 10 1, written 11 12 1 0 1, released 20 21
            p2: requested 30, granted 40 2, written 41 42 2 0 2, released 50 51
            """),
        Arguments.of(
            BelievedAfterItsEnd.class,
            "it was told to be lost",
            """
            p1: requested 0, granted 10 1, lost 20, believed 21 22, released 30 31
            """),
        Arguments.of(
            BelievedAfterItsEnd.class,
            "it was given back",
            """
            p1: requested 0, granted 10 1, released 20 21, believed 22 23
            """),
        Arguments.of(
            BelievedAfterItsEnd.class,
            "its client was closed",
            """
            p1: requested 0, granted 10 1, closed 20 21, believed 22 23
            """),
        Arguments.of(
            HeldTogether.class,
            "one of them shared",
            """
            p1: requested 0 forever a SHARED, granted 10 1, believed 50 51, released 60 61
            p2: requested 0 forever a, granted 20 2, believed 50 51, released 60 61
            """),
        Arguments.of(
            TokenFell.class,
            "of an exclusive grant after a shared one",
            """
            p1: requested 0 forever a SHARED, granted 10 2, released 20 21
            p2: requested 30 forever a, granted 40 1, released 50 51
            """),
        Arguments.of(
            TokenReused.class,
            "by an exclusive grant after a shared one",
            """
            p1: requested 0 forever a SHARED, granted 10 2, released 20 21
            p2: requested 30 forever a, granted 40 2, released 50 51
            """),
        Arguments.of(
            QueueJumped.class,
            "by a shared newcomer, and then the time of an exclusive waiter is up",
            """
            p1: requested 0 100 a, queued 10, timedout 101
            p2: requested 20 forever a SHARED, granted 30 1024, released 40 41
            """),
        Arguments.of(
            QueueJumped.class,
            "by a newcomer that joined a run past an exclusive request",
            """
            p1: requested 0 forever a SHARED, granted 10 1024, released 70 71
            p2: requested 11 forever a, queued 15, granted 80 2048, released 90 91
            p3: requested 20 forever a SHARED, granted 21 1024, released 40 41
            """),
        Arguments.of(
            QueueJumped.class,
            "by a newcomer",
            """
            p1: requested 0, queued 10, granted 50 2, released 60 61
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            QueueJumped.class,
            "by a newcomer, and then the waiter's time is up",
            """
            p1: requested 0 100, queued 10, timedout 101
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            QueueJumped.class,
            "by a newcomer of a client whose earlier wish had ended",
            """
            p1: requested 0, queued 10, granted 50 2, released 60 61
            p2/w1: requested 1 5, timedout 7
            p2/w2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            QueueJumped.class,
            "by a newcomer, and the waiter got a new session only for another lock, before",
            """
            p1: opened 9 1
            p1: requested 0, queued 10, granted 50 2, released 60 61
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            NeverReturned.class,
            "and its process lives",
            """
            p1: requested 0
            """),
        Arguments.of(
            NeverReturned.class,
            "and its process was only paused",
            """
            p1: requested 0, paused 1 2, continued 3 4
            """),
        Arguments.of(
            OverranMaxWait.class,
            "while somebody held",
            """
            p1: requested 0, granted 1 1, released 2000 2001
            p2: requested 10 100, timedout 1111
            """),
        Arguments.of(
            WaitedWhileFree.class,
            "after the lock was given back",
            """
            p1: requested 0, granted 10 1, released 20 21
            p2: requested 15, granted 1022 2, released 1030 1031
            """),
        Arguments.of(
            WaitedWhileFree.class,
            "after the holder was told that it had lost the lock",
            """
            p1: requested 0, granted 10 1, lost 20
            p2: requested 15, failed 1021
            """),
        Arguments.of(
            WaitedWhileFree.class,
            "after the holder was killed",
            """
            p1: requested 0, granted 10 1, killed 20 21
            p2: requested 15, failed 1022
            """),
        Arguments.of(
            WaitedWhileFree.class,
            "after the holder's client was closed",
            """
            p1: requested 0, granted 10 1, closed 20 21
            p2: requested 15, failed 1022
            """),
        Arguments.of(
            WaitedWhileFree.class,
            "although nobody had ever held",
            """
            p1: requested 0, granted 1001 1, released 1002 1003
            """));
  }
}
