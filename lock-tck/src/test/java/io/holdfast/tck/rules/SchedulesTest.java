package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulesTest {

  @Test
  void everyOrderOfTheStepsIsPlayedOnce() {
    List<String> orders = new ArrayList<>();

    Schedules.forEach((order, run) -> orders.add(played(order, 2, 3)));

    // Two of five places are the first call's.
    assertThat(orders)
        .hasSize(10)
        .doesNotHaveDuplicates()
        .allMatch(order -> order.chars().filter(c -> c == '1').count() == 2)
        .contains("11222", "22211", "12122");
  }

  @Test
  void callsWithoutStepsHaveOneOrder() {
    List<String> orders = new ArrayList<>();

    Schedules.forEach((order, run) -> orders.add(played(order, 0, 0)));

    assertThat(orders).containsExactly("");
  }

  @Test
  void aCallThatFailsFailsTheRun() {
    assertThatThrownBy(
            () ->
                Schedules.forEach(
                    (order, run) ->
                        order.play(
                            new StepByStep(),
                            () -> {
                              throw new IllegalStateException("broken");
                            },
                            new StepByStep(),
                            () -> {})))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("broken");
  }

  /** What is done after a hook is the step; here it is written down. */
  private static String played(Schedules order, int stepsOfFirst, int stepsOfSecond) {
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    StepByStep first = new StepByStep();
    StepByStep second = new StepByStep();
    order.play(
        first,
        () -> steps(first, stepsOfFirst, () -> done.add("1")),
        second,
        () -> steps(second, stepsOfSecond, () -> done.add("2")));
    assertThat(order).hasToString(String.join("", done));
    return String.join("", done);
  }

  private static void steps(StepByStep hook, int count, Runnable step) {
    for (int i = 0; i < count; i++) {
      hook.run();
      step.run();
    }
  }
}
