package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AtStepTest {

  @Test
  void theActionIsDoneBeforeThatStepOnly() {
    List<String> done = new ArrayList<>();
    AtStep at = new AtStep();
    at.arm(2, () -> done.add("action"));

    for (String step : List.of("one", "two", "three")) {
      at.run();
      done.add(step);
    }

    assertThat(done).containsExactly("one", "action", "two", "three");
    assertThat(at.disarm()).isTrue();
  }

  @Test
  void aStepThatDoesNotComeIsNotReached() {
    AtStep at = new AtStep();
    at.arm(2, () -> {});

    at.run();

    assertThat(at.disarm()).isFalse();
    at.run();
    assertThat(at.disarm()).isFalse();
  }
}
