package io.holdfast.tck.mutants;

import io.holdfast.LockClient;
import io.holdfast.election.Elections;
import java.util.List;

/** Mistakes of elections. */
final class ElectionMutants {

  private ElectionMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofClient(
            "candidacies-unknown-to-each-other",
            "† The next of a process is elected when the last one has been deposed",
            ElectionMutants::withElectionsOfTheirOwn,
            "ElectionRules.theNextOfAProcessIsElectedOnlyWhenTheLastOneHasBeenDeposed"));
  }

  private static LockClient withElectionsOfTheirOwn(LockClient client) {
    return Spoiling.method(
        "election",
        LockClient.class,
        client,
        arguments -> new Elections(client).of((String) arguments.get(0)));
  }
}
