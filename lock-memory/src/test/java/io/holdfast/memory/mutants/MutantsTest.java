package io.holdfast.memory.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryTckStore;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.mutants.Mutant;
import io.holdfast.tck.mutants.Mutants;
import io.holdfast.testing.kit.KitRun;
import io.holdfast.testing.kit.KitRun.Outcome;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every mutant is rejected by each test that it names, and by these because of its mistake: without
 * it the store in memory passes them all, as the {@code Memory…TckTest}s show.
 */
@Execution(ExecutionMode.CONCURRENT)
class MutantsTest {

  /** Those that take longest come first: the class is over when the last one is. */
  static Stream<Mutant> mutants() {
    return Stream.concat(MemoryMutants.all().stream(), Mutants.all().stream());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void everyMutantIsRejectedByTheTestsThatItNames(Mutant mutant) {
    Map<String, Outcome> outcomes =
        KitRun.of(
            () -> mutant.spoil(new MemoryTckStore(MemoryOptions.DEFAULTS)), mutant.rejectedBy());

    assertThat(outcomes).as("%s: %s", mutant.name(), mutant.breaks()).isNotEmpty();
    assertThat(outcomes.values()).as("%s", outcomes).containsOnly(Outcome.FAILED);
  }

  @Test
  void everyTestIsNamedWithTheRulesThatItBelongsTo() {
    List<String> tests =
        Arrays.stream(HoldfastTck.class.getMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .map(MutantsTest::nameOf)
            .toList();

    assertThat(tests).doesNotHaveDuplicates();
    assertThat(mutants().flatMap(mutant -> mutant.rejectedBy().stream()).toList())
        .isSubsetOf(tests);
  }

  @Test
  void mutantsHaveDifferentNames() {
    assertThat(mutants().map(Mutant::name).toList())
        .hasSizeGreaterThanOrEqualTo(20)
        .doesNotHaveDuplicates();
  }

  private static String nameOf(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }
}
