package io.holdfast.jdbc.postgres.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.tck.mutants.Mutant;
import io.holdfast.tck.mutants.Mutants;
import io.holdfast.testing.kit.MutantCheck;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What breaks a rule marked † on PostgreSQL is rejected by the rule that it breaks. */
@Execution(ExecutionMode.CONCURRENT)
class PostgresMutantsTest extends OnPostgres {

  static List<StatementMutant> changedStatements() {
    return StatementMutant.all();
  }

  static List<Mutant> ofAnyStore() {
    return Mutants.marked();
  }

  /** Those whose store looks as after a loss; the others the kit's own run shows to pass. */
  static List<String> rules() {
    return Stream.concat(
            StatementMutant.all().stream().map(StatementMutant::rule),
            Mutants.marked().stream()
                .flatMap(mutant -> mutant.rejectedBy().stream())
                .filter(rule -> rule.contains("FailOver")))
        .distinct()
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changedStatements")
  void aStatementThatBreaksARuleIsRejectedByIt(StatementMutant mutant) {
    Set<StatementMutant.Edit> made = ConcurrentHashMap.newKeySet();

    MutantCheck.requireRejected(
        mutant.name(),
        () ->
            ImitatedStore.changed(
                server,
                text -> {
                  mutant.edits().stream()
                      .filter(edit -> text.contains(edit.right()))
                      .forEach(made::add);
                  return mutant.in(text);
                }),
        mutant.rule());

    assertThat(made).as("what %s has changed", mutant).containsAll(mutant.edits());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ofAnyStore")
  void aMutantOfAnyStoreIsRejectedHere(Mutant mutant) {
    MutantCheck.requireRejected(mutant, () -> ImitatedStore.toBeSpoiled(server));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void withoutAMistakeTheRulePasses(String rule) {
    MutantCheck.requirePassed(rule, () -> ImitatedStore.asItIs(server));
  }
}
