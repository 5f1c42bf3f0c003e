package io.holdfast.tck.mutants;

import io.holdfast.tck.adapter.FencedWriteRules;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A condition on a grant that is wrong in one way: any right one with a mistake around it.
 *
 * @param name a short name, in words with dashes
 * @param breaks the rule that it breaks
 * @param rejectedBy the tests that must reject it, as {@code Rules.test}
 * @param mistake puts the mistake around the conditions of a store
 */
public record FenceMutant(
    String name, String breaks, List<String> rejectedBy, UnaryOperator<FencedWriteRules> mistake) {

  static FenceMutant of(
      String name, String breaks, UnaryOperator<FencedWriteRules> mistake, String... rejectedBy) {
    return new FenceMutant(name, breaks, List.of(rejectedBy), mistake);
  }

  /** Returns conditions with the mistake in them. */
  public FencedWriteRules spoil(FencedWriteRules original) {
    return mistake.apply(original);
  }

  @Override
  public String toString() {
    return name;
  }
}
