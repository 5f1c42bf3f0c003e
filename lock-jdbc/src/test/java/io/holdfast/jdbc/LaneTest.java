package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** When a connection is asked for a sign of life before it is used. */
class LaneTest {

  private final AtomicBoolean silentIsClosed = new AtomicBoolean();
  private final Link silent = FakeDatabase.link(false, silentIsClosed);
  private final Link answers = FakeDatabase.link(true, new AtomicBoolean());

  /** Lends the one and, when that is discarded, the other. */
  private Lane lane(Optional<Duration> askedAfter) {
    Queue<Link> links = new ArrayDeque<>(List.of(silent, answers));
    Database database = FakeDatabase.connectedBy(links::remove);
    return new Lane(database, new OneKept(database), Watch.NONE, askedAfter);
  }

  private Link used(Lane lane) {
    return lane.call(Deadline.in(Duration.ofMinutes(1)), link -> link);
  }

  @Test
  void oneThatWasIdleForLongAndDoesNotAnswerIsReplaced() {
    assertThat(used(lane(Optional.of(Duration.ZERO)))).isSameAs(answers);
    assertThat(silentIsClosed).isTrue();
  }

  @Test
  void oneThatWasInUseJustNowIsNotAsked() {
    assertThat(used(lane(Optional.of(Duration.ofHours(1))))).isSameAs(silent);
  }

  @Test
  void heartbeatsDoNotAsk() {
    assertThat(used(lane(Optional.empty()))).isSameAs(silent);
  }
}
