package io.holdfast.benchmarks.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void theMedianOfAnEvenNumberLiesBetweenTheTwoInTheMiddle() {
    assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 2.0)).median()).isEqualTo(2.5);
  }

  @Test
  void theSpreadIsThatOfTheMiddleHalf() {
    Spread spread = Spread.of(List.of(1.0, 8.0, 9.0, 10.0, 11.0, 12.0, 1000.0));

    assertThat(spread.median()).isEqualTo(10);
    assertThat(spread.spread()).isEqualTo((11.5 - 8.5) / 10);
  }

  @Test
  void aQuantileBetweenTwoValuesIsInProportion() {
    assertThat(Spread.at(new double[] {10, 20}, 0.25)).isCloseTo(12.5, within(1e-9));
  }

  @Test
  void oneRoundHasNoSpread() {
    assertThat(Spread.of(List.of(7.0))).isEqualTo(new Spread(7, 0));
  }

  @Test
  void aFigureThatIsZeroInMostRoundsIsNoDivisionByZero() {
    assertThat(Spread.of(List.of(0.0, 0.0, 0.0, 5.0)).spread()).isZero();
  }

  @Test
  void aFifthIsTheMostThatIsUsable() {
    assertThat(new Spread(1, 0.2).usable()).isTrue();
    assertThat(new Spread(1, 0.21).usable()).isFalse();
  }
}
