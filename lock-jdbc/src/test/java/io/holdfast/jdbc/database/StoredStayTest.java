package io.holdfast.jdbc.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.Stay;
import org.junit.jupiter.api.Test;

class StoredStayTest {

  private static final long BEGAN = 1_000;
  private static final long LASTS = 100;

  private static StoredStay of(String incarnation) {
    return new StoredStay(Stay.Reason.AT_LEAST, BEGAN, LASTS, incarnation);
  }

  @Test
  void oneOfAnotherBootLastsForAsLongAsWhenItBegan() {
    assertThat(of("one boot").left(BEGAN + LASTS, "next boot")).isEqualTo(LASTS);
  }

  /** Else those who know the boot and those who do not would let it begin anew in turn. */
  @Test
  void oneOfAnUnknownBootAndOneThatIsSeenInSuchEnd() {
    assertThat(of("boot").left(BEGAN + LASTS, Machine.UNKNOWN)).isZero();
    assertThat(of(Machine.UNKNOWN).left(BEGAN + LASTS, "boot")).isZero();
  }
}
