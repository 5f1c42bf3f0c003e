package io.holdfast.jdbc.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MariaIncarnationTest {

  private static final String PLACE = "db:3306/1";
  private static final long START = 1_800_000_000;

  private final MariaIncarnation first = MariaIncarnation.first(PLACE, START);

  @Test
  void aStartThatIsToldAFewSecondsOffIsTheSame() {
    assertThat(first.next(PLACE, START - 2, true)).isEqualTo(first);
    assertThat(first.next(PLACE, START + 2, false)).isEqualTo(first);
  }

  @Test
  void aRestartThatLosesNothingIsAnotherIncarnationOfTheSameLife() {
    MariaIncarnation second = first.next(PLACE, START + 3, true);

    assertThat(second.data()).isEqualTo(first.data());
    assertThat(second.server()).isNotEqualTo(first.server());
    assertThat(second.next(PLACE, START + 9, true).data()).isEqualTo(first.data());
  }

  @Test
  void aRestartThatMayLoseGrantsIsAnotherIncarnation() {
    assertThat(first.next(PLACE, START + 3, false))
        .isEqualTo(MariaIncarnation.first(PLACE, START + 3))
        .extracting(MariaIncarnation::data)
        .isNotEqualTo(first.data());
  }

  @Test
  void anotherHostOrPortOrIdIsAnotherIncarnation() {
    for (String place :
        new String[] {
          "db:3307/1", "db2:3306/1", "db:33060/1", "b:3306/1", "db:3306/2", "db:3306/11"
        }) {
      assertThat(first.next(place, START, true)).isEqualTo(MariaIncarnation.first(place, START));
    }
  }

  @Test
  void whatWasRecordedWithoutAnIdIsAnotherIncarnation() {
    MariaIncarnation recorded = new MariaIncarnation("db:3306/" + START, Long.toString(START));

    assertThat(recorded.next(PLACE, START, true)).isEqualTo(MariaIncarnation.first(PLACE, START));
  }
}
