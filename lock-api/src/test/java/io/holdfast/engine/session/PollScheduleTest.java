package io.holdfast.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PollScheduleTest {

  @Test
  void whatFallsDueIsLookedAtThenAlthoughTheStorePushes() {
    PollSchedule schedule = new PollSchedule(Wakeup.POLL, 0);

    schedule.standsBehind(1, Wakeup.PUSH, Optional.of(Duration.ofSeconds(4)), 0, 0);
    assertThat(schedule.dueAtNanos()).hasValue(Duration.ofSeconds(4).toNanos());

    schedule.standsBehind(1, Wakeup.PUSH, Optional.empty(), 0, 0);
    assertThat(schedule.dueAtNanos()).isEmpty();
  }

  @Test
  void whatFallsDueIsLookedAtThenHoweverManyAreAhead() {
    PollSchedule schedule = new PollSchedule(Wakeup.POLL, 0);
    long now = Duration.ofSeconds(20).toNanos();

    schedule.standsBehind(20, Wakeup.POLL, Optional.empty(), 0, 0);
    schedule.standsBehind(20, Wakeup.POLL, Optional.of(Duration.ofMillis(300)), 0, now);

    assertThat(schedule.dueAtNanos()).hasValue(now + Duration.ofMillis(300).toNanos());
  }

  /** Two looks may be under way: the one that was sent before the hint does not show it. */
  @Test
  void aHintComesBetweenTwoLooks() {
    PollSchedule schedule = new PollSchedule(Wakeup.PUSH, 0);
    int before = schedule.hints();
    schedule.lookNow(10);
    int after = schedule.hints();
    assertThat(schedule.lookFailed(new IllegalStateException(), 20)).isFalse();

    schedule.standsBehind(1, Wakeup.PUSH, Optional.empty(), before, 30);
    assertThat(schedule.dueAtNanos()).hasValue(30);
    schedule.standsBehind(1, Wakeup.PUSH, Optional.empty(), after, 40);
    assertThat(schedule.dueAtNanos()).isEmpty();
  }

  @Test
  void whoHasJoinedLooksAtOnceUnlessTheStorePushes() {
    assertThat(new PollSchedule(Wakeup.POLL, 7).dueAtNanos()).hasValue(7);
    assertThat(new PollSchedule(Wakeup.PUSH, 7).dueAtNanos())
        .isPresent()
        .isNotEqualTo(OptionalLong.of(7));
  }

  @Test
  void theNextInLineAsksBrisklyAtFirstAndTheLongerItWaitsTheMoreRarely() {
    PollSchedule schedule = new PollSchedule(Wakeup.POLL, 0);

    assertThat(looks(schedule, 1, Duration.ZERO, Duration.ofMillis(50))).isBetween(5, 7);
    assertThat(looks(schedule, 1, Duration.ofSeconds(1), Duration.ofSeconds(2))).isBetween(19, 21);
    assertThat(looks(schedule, 1, Duration.ofSeconds(20), Duration.ofSeconds(21))).isBetween(4, 5);
  }

  @Test
  void aLineThatMovesIsAskedOftenAgain() {
    PollSchedule schedule = new PollSchedule(Wakeup.POLL, 0);
    assertThat(looks(schedule, 2, Duration.ofSeconds(20), Duration.ofSeconds(21))).isEqualTo(2);

    assertThat(looks(schedule, 1, Duration.ofSeconds(21), Duration.ofSeconds(22)))
        .isGreaterThan(10);
  }

  /** Returns how many looks fall into a time, by one that stood behind as many until its end. */
  private static int looks(PollSchedule schedule, int behind, Duration from, Duration to) {
    int looks = 0;
    long now = schedule.dueAtNanos().orElseThrow();
    while (now < to.toNanos()) {
      schedule.standsBehind(behind, Wakeup.POLL, Optional.empty(), schedule.hints(), now);
      looks += now >= from.toNanos() ? 1 : 0;
      now = schedule.dueAtNanos().orElseThrow();
    }
    return looks;
  }
}
