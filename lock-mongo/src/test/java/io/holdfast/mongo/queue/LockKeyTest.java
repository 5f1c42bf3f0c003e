package io.holdfast.mongo.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.tck.rules.record.NameRules;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockKeyTest {

  private static final List<LockName> NAMES =
      NameRules.ODD_NAMES.stream().map(LockName::new).toList();

  @Test
  void aNameComesBackAsItWasGiven() {
    for (LockName name : NAMES) {
      assertThat(LockKey.name(LockKey.of(name).getValue())).isEqualTo(name);
    }
  }

  @Test
  void whatOperatorsTypeStandsForItself() {
    assertThat(LockKey.of(new LockName("orders/42: $x.y")).getValue()).isEqualTo("orders/42: $x.y");
    assertThat(LockKey.of(new LockName("é~")).getValue()).isEqualTo("~c3~a9~7e");
  }

  @Test
  void keysAreOrderedLikeTheBytesOfTheNames() {
    assertThat(NAMES.stream().sorted(Comparator.comparing(name -> LockKey.of(name).getValue())))
        .containsExactlyElementsOf(NAMES.stream().sorted().toList());
  }

  @Test
  void aRangeHoldsWhatBeginsWithItsPrefix() {
    for (String prefix : List.of("", "a", "a/", "~", "é")) {
      String first = LockKey.first(prefix).getValue();
      String above = LockKey.above(prefix).getValue();

      assertThat(NAMES)
          .filteredOn(
              name -> {
                String key = LockKey.of(name).getValue();
                return key.compareTo(first) >= 0 && key.compareTo(above) < 0;
              })
          .containsExactlyElementsOf(
              NAMES.stream().filter(name -> name.value().startsWith(prefix)).toList());
    }
  }
}
