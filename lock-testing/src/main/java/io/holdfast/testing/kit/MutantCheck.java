package io.holdfast.testing.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.tck.adapter.FencedWriteRules;
import io.holdfast.tck.mutants.FenceMutant;
import io.holdfast.tck.mutants.Mutant;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.kit.KitRun.Ending;
import io.holdfast.testing.kit.KitRun.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Shows that the kit rejects a mutant of an adapter's own store. With {@link #requirePassed}, which
 * shows that each rule passes on that store as it is, it is shown that the mistake is the reason.
 */
public final class MutantCheck {

  /** A store on which these do not pass is wrong in more than one way. */
  private static final List<String> EVERYDAY =
      List.of("GrabRules.aFreeLockIsGranted", "QueueRules.aReleaseHandsTheLockToTheNextWaiter");

  private MutantCheck() {}

  /**
   * Requires that a rule that a mutant names rejects it. All do in memory; another store may be
   * right in spite of what one of them is about, as one that lets no dead waiter hold a lock.
   *
   * @param store gives an empty store as it is, which the mutant may spoil
   */
  public static void requireRejected(Mutant mutant, Supplier<TckStore> store) {
    assertThat(mutant.rejectedBy())
        .as("a rule that rejects %s", mutant.name())
        .anyMatch(
            rule ->
                KitRun.of(() -> mutant.spoil(store.get()), List.of(rule))
                    .containsValue(Outcome.FAILED));
  }

  /**
   * Requires that each rule named rejects a store whose statements were changed: by an assertion,
   * since a statement that cannot be executed any more breaks no rule. The everyday rules pass.
   */
  public static void requireRejected(String mutant, Supplier<TckStore> changed, String... rules) {
    Map<String, Ending> endings = KitRun.endings(changed, List.of(rules));

    assertThat(endings).as("rules that reject %s", mutant).isNotEmpty();
    endings.forEach(
        (rule, ending) -> {
          assertThat(ending.outcome())
              .as("%s on %s: %s", rule, mutant, ending.cause())
              .isEqualTo(Outcome.FAILED);
          assertThat(ending.cause().orElseThrow())
              .as("why %s has failed on %s", rule, mutant)
              .isInstanceOf(AssertionError.class);
        });
    assertThat(KitRun.of(changed, EVERYDAY).values())
        .as("what %s breaks besides", mutant)
        .containsOnly(Outcome.PASSED);
  }

  /** Requires that each rule that a mutant names rejects it, by an assertion. */
  public static void requireRejected(FenceMutant mutant, FencedWriteRules conditions) {
    FencedWriteRules spoiled = mutant.spoil(conditions);
    assertThat(mutant.rejectedBy())
        .as("rules that reject %s", mutant)
        .isNotEmpty()
        .allSatisfy(
            rule ->
                assertThatThrownBy(() -> play(rule, spoiled))
                    .as("%s on %s", rule, mutant)
                    .isInstanceOf(AssertionError.class));
  }

  private static void play(String rule, FencedWriteRules conditions) throws Throwable {
    Method test = FencedWriteRules.class.getMethod(rule.substring(rule.indexOf('.') + 1));
    try {
      test.invoke(conditions);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Requires that a rule passes on a store. */
  public static void requirePassed(String rule, Supplier<TckStore> store) {
    Ending ending = KitRun.endings(store, List.of(rule)).values().iterator().next();

    assertThat(ending.outcome())
        .as("%s on the store as it is: %s", rule, ending.cause())
        .isEqualTo(Outcome.PASSED);
  }
}
