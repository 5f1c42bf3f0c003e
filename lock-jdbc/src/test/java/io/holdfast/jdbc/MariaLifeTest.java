package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MariaLifeTest {

  private static final String PLACE = "db:3306";
  private static final long START = 1_800_000_000;

  private final MariaLife first = MariaLife.first(PLACE, START);

  @Test
  void aStartThatIsToldAFewSecondsOffIsTheSame() {
    assertThat(first.next(PLACE, START - 2, true)).isEqualTo(first);
    assertThat(first.next(PLACE, START + 2, false)).isEqualTo(first);
  }

  @Test
  void aRestartThatLosesNothingIsAnotherIncarnationOfTheSameLife() {
    MariaLife second = first.next(PLACE, START + 3, true);

    assertThat(second.life()).isEqualTo(first.life());
    assertThat(second.incarnation()).isNotEqualTo(first.incarnation());
    assertThat(second.next(PLACE, START + 9, true).life()).isEqualTo(first.life());
  }

  @Test
  void aRestartThatMayLoseGrantsIsAnotherLife() {
    assertThat(first.next(PLACE, START + 3, false))
        .isEqualTo(MariaLife.first(PLACE, START + 3))
        .extracting(MariaLife::life)
        .isNotEqualTo(first.life());
  }

  @Test
  void anotherHostOrPortIsAnotherLife() {
    for (String place : new String[] {"db:3307", "db2:3306", "db:33060", "b:3306"}) {
      assertThat(first.next(place, START, true)).isEqualTo(MariaLife.first(place, START));
    }
  }
}
