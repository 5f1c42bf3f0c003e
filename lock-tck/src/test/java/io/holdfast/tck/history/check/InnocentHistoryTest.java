package io.holdfast.tck.history.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Capabilities.Order;
import io.holdfast.tck.history.Forgery;
import io.holdfast.tck.history.History;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories that look bad and are not: a correct lock can show each of them. */
class InnocentHistoryTest {

  private static final Duration IDLE_MAX = Duration.ofNanos(1000);

  @ParameterizedTest(name = "{0}")
  @MethodSource("histories")
  void whatHasAnInnocentExplanationIsNotHeldAgainstTheLock(String name, String history) {
    assertThat(HistoryChecker.check(Forgery.of(history), Expectations.of(Order.FIFO, IDLE_MAX)))
        .as(name)
        .isEmpty();
  }

  @Test
  void aNewcomerMayPassAWaiterWhereNoOrderIsClaimed() {
    // given
    History history =
        Forgery.of(
            """
            p1: requested 0, queued 10, granted 50 2, released 60 61
            p2: requested 20, granted 30 1, released 40 41
            """);

    // then
    assertThat(HistoryChecker.check(history, Expectations.of(Order.FIFO, IDLE_MAX))).isNotEmpty();
    assertThat(HistoryChecker.check(history, Expectations.of(Order.ANY, IDLE_MAX))).isEmpty();
  }

  static Stream<Arguments> histories() {
    return Stream.concat(TimesAndDowngrades.innocent(), ofBothModes());
  }

  private static Stream<Arguments> ofBothModes() {
    return Stream.of(
        Arguments.of(
            "the successor holds before release has returned",
            """
            p1: requested 0, granted 10 1, believed 11 12, believed 20 21, released 22 30
            p2: requested 5, granted 24 2, believed 25 26, released 40 41
            """),
        Arguments.of(
            "the call that answered held began before the successor was granted",
            """
            p1: requested 0, granted 10 1, believed 11 60, lost 61, released 70 71
            p2: requested 5, granted 20 2, believed 21 22, released 40 41
            """),
        Arguments.of(
            "two locks are held at once",
            """
            p1: requested 0 forever a, granted 10 1, believed 50 51, released 60 61
            p2: requested 0 forever b, granted 10 1, believed 50 51, released 60 61
            """),
        Arguments.of(
            "two share a lock under one number, and the one who joined first goes on",
            """
            p1: requested 0 forever a SHARED, granted 10 1, believed 50 51, released 60 61
            p2: requested 15 forever a SHARED, granted 20 1, believed 30 31, released 40 41
            """),
        Arguments.of(
            "a newcomer shares the lock with one who was let in and not told before its time was up",
            """
            p1: requested 0 100 a SHARED, queued 10, timedout 102
            p2: requested 20 forever a SHARED, granted 30 1024, released 40 41
            """),
        Arguments.of(
            "one that is made once was seen in the queue, lost the answer, and asked again",
            """
            p1: requested 0 0 a, queued 10, granted 50 2048, released 60 61
            p2: requested 20 forever a, granted 30 1024, released 40 41
            """),
        Arguments.of(
            "a thread rides on its client's number past one whom its client does not know of yet",
            """
            p1/w1: requested 0 forever a SHARED, granted 10 1024, believed 45 46, released 50 51
            p1/w2: requested 20 forever a SHARED, granted 21 1025, released 40 41
            p2: requested 12 forever a, queued 15, granted 60 2048, released 70 71
            """),
        Arguments.of(
            "two calls returned grants at once, of which one may have been lost before",
            """
            p1: requested 0, granted 10 1, released 60 61
            p2: requested 0, granted 10 2, released 60 61
            """),
        Arguments.of(
            "the call with the greater token returned first",
            """
            p1: requested 0, granted 10 2, released 20 21
            p2: requested 5, granted 30 1, released 40 41
            """),
        Arguments.of(
            "two locks have the same token",
            """
            p1: requested 0 forever a, granted 10 2, released 20 21
            p1: requested 30 forever b, granted 40 2, released 50 51
            """),
        Arguments.of(
            "a stale write was refused",
            """
            p1: requested 0, granted 10 1, written 11 12 1 0 1, rejected 40 41 1, released 60 61
            p2: requested 20, granted 30 2, written 31 32 2 1 2, released 50 51
            """),
        Arguments.of(
            "two writes crossed, and the register took them in the right order",
            """
            p1: requested 0, granted 10 1, written 11 60 1 0 1, released 61 62
            p2: requested 20, granted 30 2, written 31 32 2 1 2, released 50 51
            """),
        Arguments.of(
            "a write read one that its writer was killed before it could tell",
            """
            p1: requested 0, granted 10 1, killed 11 12
            p2: requested 20, granted 30 2, written 31 32 2 1 2, released 50 51
            """),
        Arguments.of(
            "believed while it was being given back, and while the loss was being told",
            """
            p1: requested 0, granted 10 1, believed 20 25, released 19 24
            p2: requested 30, granted 40 2, believed 50 55, lost 51, released 60 61
            """),
        Arguments.of(
            "a newcomer passed a waiter whom nobody had seen in the queue yet",
            """
            p1: requested 0, queued 25, granted 50 2, released 60 61
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a newcomer passed one who was interrupted",
            """
            p1: requested 0, queued 10, failed 50
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a newcomer passed one whose time was up",
            """
            p1: requested 0 25, queued 10, timedout 32
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a newcomer passed one who was killed",
            """
            p1: requested 0, queued 10, killed 15 16
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a newcomer passed one whose session had to be replaced",
            """
            p1: requested 0, queued 10, expired 15, opened 35 2, granted 50 2, released 60 61
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a newcomer passed one whose place was seen when its session had been replaced already",
            """
            p1: requested 0, opened 9 2, queued 10 1, granted 50 2, released 60 61
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a newcomer passed one whose place was seen after its session's end",
            """
            p1: opened 0 1, requested 0, expired 9 1, queued 10 1, granted 50 2, released 60 61
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a newcomer passed one whose process was paused",
            """
            p1: requested 0, queued 10, paused 15 16, continued 32 33, granted 50 2, released 60 61
            p2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a thread took over the place of another one of its client",
            """
            p1: requested 0, queued 10, granted 50 2, released 60 61
            p2/w1: requested 1 20, timedout 22
            p2/w2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a client served its own threads in another order",
            """
            p1/w1: requested 0, queued 10, granted 50 2, released 60 61
            p1/w2: requested 20, granted 30 1, released 40 41
            """),
        Arguments.of(
            "a call of a killed process never returned",
            """
            p1: requested 0, killed 10 11
            """),
        Arguments.of(
            "a paused process was late",
            """
            p1: requested 0 10, paused 5 6, continued 4000 4001, timedout 5000
            """),
        Arguments.of(
            "a wait was long because two others held for long",
            """
            p1: requested 0, granted 10 1, released 5000 5001
            p2: requested 15, granted 5002 2, released 6010 6011
            p3: requested 16, granted 7000 3, released 7001 7002
            """),
        Arguments.of(
            "nobody held for long, and nobody waited",
            """
            p1: requested 0, granted 10 1, released 20 21
            p2: requested 5000, granted 5010 2, released 5020 5021
            """));
  }
}
