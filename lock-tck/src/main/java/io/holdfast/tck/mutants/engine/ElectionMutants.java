package io.holdfast.tck.mutants.engine;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.election.Elections;
import io.holdfast.tck.mutants.Mutant;
import io.holdfast.tck.mutants.Spoiling;
import java.util.List;

/** Mistakes of elections. */
public final class ElectionMutants {

  private ElectionMutants() {}

  public static List<Mutant> all() {
    return List.of(
        Mutant.ofClient(
            "candidacies-unknown-to-each-other",
            "† The next of a process is elected when the last one has been deposed",
            ElectionMutants::withElectionsOfTheirOwn,
            "ElectionRules.theNextOfAProcessIsElectedOnlyWhenTheLastOneHasBeenDeposed"),
        Mutant.ofClient(
            "term-outlasts-lease",
            "A leader whose lease is over is deposed",
            ElectionMutants::withTermsThatEndWithTheGrant,
            "ElectionRules.aLeaderWhoseLeaseIsOverIsDeposedThoughARenewalMaySaveItYet"));
  }

  private static LockClient withTermsThatEndWithTheGrant(LockClient client) {
    Elections elections = new Elections(client, Grant::isHeld, Grant::onLost);
    return Spoiling.method(
        "election", LockClient.class, client, arguments -> elections.of((String) arguments.get(0)));
  }

  private static LockClient withElectionsOfTheirOwn(LockClient client) {
    return Spoiling.method(
        "election",
        LockClient.class,
        client,
        arguments ->
            new Elections(client, Grant::isHeld, Grant::onLost).of((String) arguments.get(0)));
  }
}
