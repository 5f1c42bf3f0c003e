package io.holdfast.tck.history.check;

import io.holdfast.tck.history.check.Violation.BelievedAfterItsEnd;
import io.holdfast.tck.history.check.Violation.HeldTogether;
import io.holdfast.tck.history.check.Violation.TakenWhileItStays;
import io.holdfast.tck.history.check.Violation.TokenFell;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Forged histories of locks that stay taken, of longest times, and of downgrades. */
final class TimesAndDowngrades {

  private TimesAndDowngrades() {}

  /** With one flaw each. */
  static Stream<Arguments> forgeries() {
    return Stream.of(
        Arguments.of(
            TakenWhileItStays.class,
            "for its least time after its release",
            """
            p1: requested 0 forever a EXCLUSIVE 200, granted 10 1, believed 20 21, stayed 30 31
            p2: requested 40 forever a, granted 190 2, released 200 201
            """),
        Arguments.of(
            TakenWhileItStays.class,
            "for its least time after its process was killed",
            """
            p1: requested 0 forever a EXCLUSIVE 200, granted 10 1, stayed 30 31, killed 40 41
            p2: requested 40 forever a, granted 190 2, released 200 201
            """),
        Arguments.of(
            TakenWhileItStays.class,
            "for a least time that began after the one before had believed last",
            """
            p1: requested 0 forever a, granted 10 1, believed 150 151, released 160 161
            p2: requested 20 forever a EXCLUSIVE 200, granted 170 2, stayed 180 181
            p3: requested 190 forever a, granted 300 3, released 310 311
            """),
        Arguments.of(
            TakenWhileItStays.class,
            "and was shared, by an exclusive request",
            """
            p1: requested 0 forever a SHARED 200, granted 10 1, stayed 30 31
            p2: requested 40 forever a SHARED, granted 50 1, released 60 61
            p3: requested 70 forever a, granted 100 2, released 110 111
            """),
        Arguments.of(
            TakenWhileItStays.class,
            "exclusively, by a shared request",
            """
            p1: requested 0 forever a EXCLUSIVE 200, granted 10 1, stayed 30 31
            p2: requested 40 forever a SHARED, granted 50 2, released 60 61
            """),
        Arguments.of(
            TakenWhileItStays.class,
            "and was downgraded, by an exclusive request",
            """
            p1: requested 0 forever a EXCLUSIVE 200, granted 10 1, downgraded 20 21 3, stayed 30 31
            p2: requested 40 forever a, granted 50 4, released 60 61
            """),
        Arguments.of(
            TakenWhileItStays.class,
            "for its lock-delay after the end of a lease that its holder did not outlive",
            """
            p1: requested 0 forever a EXCLUSIVE 0 300, granted 10 1, believed 20 21 100, killed 50 51
            p2: requested 30 forever a, granted 410 2, released 420 421
            """),
        Arguments.of(
            TakenWhileItStays.class,
            "for its lock-delay while its process is paused",
            """
            p1: requested 0 forever a EXCLUSIVE 0 300, granted 10 1, believed 20 21 100, paused 50 51
            p2: requested 30 forever a, granted 410 2, released 420 421
            p1: continued 430 431, lost 440, releasing 450, released 450 451
            """),
        Arguments.of(
            BelievedAfterItsEnd.class,
            "its longest time was over",
            """
            p1: requested 0 forever a EXCLUSIVE 0 0 50, granted 10 1, believed 61 62, released 70 71
            """),
        Arguments.of(
            BelievedAfterItsEnd.class,
            "its longest time was over although its end had been moved",
            """
            p1: requested 0 forever a EXCLUSIVE 0 0 50, granted 10 1, extended 20 30 50
            p1: believed 81 82, released 90 91
            """),
        Arguments.of(
            HeldTogether.class,
            "one of them exclusively before it was downgraded",
            """
            p1: requested 0, granted 10 1, believed 50 51, downgraded 60 61 3, released 90 91
            p2: requested 0 forever lock SHARED, granted 20 2, believed 50 51, released 60 61
            """),
        Arguments.of(
            HeldTogether.class,
            "one of them downgraded",
            """
            p1: requested 0, granted 10 1, downgraded 20 21 2, believed 50 51, released 90 91
            p2: requested 0, granted 30 3, believed 40 41, released 60 61
            """),
        Arguments.of(
            TokenFell.class,
            "of a shared grant below the exclusive one that was downgraded before",
            """
            p1: requested 0, granted 10 2, downgraded 20 21 3, believed 50 51, released 90 91
            p2: requested 25 forever lock SHARED, granted 30 1, released 60 61
            """));
  }

  /** That look bad and are not. */
  static Stream<Arguments> innocent() {
    return Stream.of(
        Arguments.of(
            "a lock is had when its least time, which a clock of another rate counts, is over",
            """
            p1: requested 0 forever a EXCLUSIVE 200, granted 10 1, stayed 30 31
            p2: requested 40 forever a, granted 199 2, released 210 211
            """),
        Arguments.of(
            "a least time began long before acquire returned",
            """
            p1: requested 0 forever a EXCLUSIVE 200, granted 150 1, stayed 160 161
            p2: requested 40 forever a, granted 210 2, released 220 221
            """),
        Arguments.of(
            "a least time had been over before the release",
            """
            p1: requested 0 forever a EXCLUSIVE 200, granted 10 1, releasing 20, released 300 301
            p2: requested 40 forever a, granted 300 2, released 310 311
            """),
        Arguments.of(
            "shared requests join what stays in shared mode",
            """
            p1: requested 0 forever a SHARED 200, granted 10 1, stayed 30 31
            p2: requested 40 forever a SHARED, granted 50 1, released 60 61
            """),
        Arguments.of(
            "one who was killed had held in the run of another before, and was granted before it",
            """
            p1: requested 0 forever a, granted 10 1, released 20 21
            p2: requested 22 forever a EXCLUSIVE 0 300, granted 30 2, believed 40 41 100, killed 50 51
            """),
        Arguments.of(
            "one who was killed had begun to give it back",
            """
            p1: requested 0 forever a EXCLUSIVE 0 300, granted 10 1, believed 20 21 100, releasing 30
            p1: killed 50 51
            p2: requested 30 forever a, granted 60 2, released 70 71
            """),
        Arguments.of(
            "one who was killed had begun to close its client",
            """
            p1: requested 0 forever a EXCLUSIVE 0 300, granted 10 1, believed 20 21 100, closing 30
            p1: killed 50 51
            p2: requested 30 forever a, granted 60 2, released 70 71
            """),
        Arguments.of(
            "one who was killed may have lost the lock before",
            """
            p1: requested 0 forever a EXCLUSIVE 0 300, granted 10 1, believed 20 21 25, killed 50 51
            p2: requested 30 forever a, granted 60 2, released 70 71
            """),
        Arguments.of(
            "one who was killed had no lock-delay, or it is over",
            """
            p1: requested 0 forever a, granted 10 1, believed 20 21 100, killed 50 51
            p2: requested 30 forever a EXCLUSIVE 0 300, granted 130 2, believed 131 132 100
            p2: killed 150 151
            p3: requested 40 forever a, granted 529 3, released 540 541
            """),
        Arguments.of(
            "one who was paused may have given it back when it woke",
            """
            p1: requested 0 forever a EXCLUSIVE 0 300, granted 10 1, believed 20 21 100, paused 50 51
            p1: continued 200 201, releasing 202, released 202 210
            p2: requested 30 forever a, granted 205 2, released 220 221
            """),
        Arguments.of(
            "its longest time was over when it was last believed, or a moment later",
            """
            p1: requested 0 forever a EXCLUSIVE 0 0 50, granted 10 1, believed 60 65, released 70 71
            """),
        Arguments.of(
            "the end of its longest time was moved",
            """
            p1: requested 0 forever a EXCLUSIVE 0 0 50, granted 10 1, extended 20 30 50
            p1: believed 79 82, released 90 91
            """),
        Arguments.of(
            "a downgraded grant is held together with those who came after the downgrade began",
            """
            p1: requested 0, granted 10 1, believed 15 16, downgraded 20 30 2, believed 60 61
            p1: released 90 91
            p2: requested 5 forever lock SHARED, granted 25 2, believed 50 51, released 55 56
            """),
        Arguments.of(
            "a downgraded grant has kept its token",
            """
            p1: requested 0, granted 10 1, believed 15 16, downgraded 20 30 1, believed 60 61
            p1: released 90 91
            """),
        Arguments.of(
            "a thread rides on its client's downgraded number past one of whom it does not know",
            """
            p1/w1: requested 0, granted 10 1024, downgraded 12 13 2048, believed 45 46
            p1/w1: released 50 51
            p1/w2: requested 20 forever lock SHARED, granted 21 2049, released 40 41
            p2: requested 14, queued 15, granted 60 3072, released 70 71
            """));
  }
}
