package io.holdfast.redis.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.script.Script;
import io.holdfast.tck.mutants.Mutant;
import io.holdfast.tck.mutants.Mutants;
import io.holdfast.testing.kit.MutantCheck;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What breaks a rule marked † on Redis is rejected by the rule that it breaks. */
@Execution(ExecutionMode.CONCURRENT)
public class RedisMutantsTest extends RedisServerTestBase {

  public static List<ScriptMutant> changedScripts() {
    return ScriptMutant.all();
  }

  public static List<Mutant> ofAnyStore() {
    return Mutants.marked();
  }

  /** Those whose store looks as after a loss; the others the kit's own run shows to pass. */
  public static List<String> rules() {
    return Stream.concat(
            ScriptMutant.all().stream().map(ScriptMutant::rule),
            Mutants.marked().stream()
                .flatMap(mutant -> mutant.rejectedBy().stream())
                .filter(rule -> rule.contains("FailOver")))
        .distinct()
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changedScripts")
  public void aScriptThatBreaksARuleIsRejectedByIt(ScriptMutant mutant) {
    assertThat(mutant.edits())
        .as("what %s changes", mutant)
        .allSatisfy(
            edit ->
                assertThat(Arrays.stream(Script.values()).map(Script::text))
                    .anyMatch(text -> text.contains(edit.right())));

    MutantCheck.requireRejected(
        mutant.name(), () -> ImitatedStore.changed(server, mutant::in), mutant.rule());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ofAnyStore")
  public void aMutantOfAnyStoreIsRejectedHere(Mutant mutant) {
    MutantCheck.requireRejected(mutant, () -> ImitatedStore.toBeSpoiled(server));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  public void withoutAMistakeTheRulePasses(String rule) {
    MutantCheck.requirePassed(rule, () -> ImitatedStore.asItIs(server));
  }
}
