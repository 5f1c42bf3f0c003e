package io.holdfast.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.turn.Core;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LookSizeTest {

  private static final long SOON = Duration.ofMillis(1).toNanos();

  @Test
  void aQueueThatCannotBeReadIsSoonAskedForAlone() {
    LookSize size = new LookSize();
    int looks = 0;
    for (; size.most() > 1; looks++) {
      size.cannotRead(size.most());
    }
    assertThat(looks).isLessThanOrEqualTo(10);
    size.cannotRead(1);
    assertThat(size.most()).isEqualTo(1);
  }

  @Test
  void fewRequestsAreHalvedFromTheirOwnNumber() {
    LookSize size = new LookSize();
    size.cannotRead(3);
    assertThat(size.most()).isEqualTo(1);
  }

  @Test
  void answersMakeItAsGreatAsBefore() {
    LookSize size = new LookSize();
    int most = size.most();
    size.cannotRead(most);
    size.answered(SOON);
    size.answered(SOON);
    assertThat(size.most()).isEqualTo(most);
  }

  /** For example of a store that answers some at a time, and is far away. */
  @Test
  void aLookThatIsNotAnsweredInTimeIsHalved() {
    LookSize size = new LookSize();
    int most = size.most();

    size.failed(most, Core.CALL_TIMEOUT.toNanos());

    assertThat(size.most()).isEqualTo(most / 2);
  }

  @Test
  void aLookThatIsAnsweredJustInTimeIsNotDoubled() {
    LookSize size = new LookSize();
    size.failed(size.most(), Core.CALL_TIMEOUT.toNanos());
    int half = size.most();

    size.answered(Core.CALL_TIMEOUT.toNanos() / 2);

    assertThat(size.most()).isEqualTo(half);
  }

  /** Its size was not why. */
  @Test
  void aLookThatFailsAtOnceIsRepeatedAsItWas() {
    LookSize size = new LookSize();
    int most = size.most();

    size.failed(most, SOON);

    assertThat(size.most()).isEqualTo(most);
  }
}
