package io.holdfast.tck.mutants.engine;

import io.holdfast.AcquireOptions;
import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.election.Candidate;
import io.holdfast.election.Election;
import io.holdfast.election.Elections;
import io.holdfast.error.LossReason;
import io.holdfast.tck.mutants.Mutant;
import io.holdfast.tck.mutants.Spoiling;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

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
            "ElectionRules.aLeaderWhoseLeaseIsOverIsDeposedThoughARenewalMaySaveItYet"),
        Mutant.ofClient(
            "term-outlasts-release",
            "A leader that releases its grant is deposed, and stands again",
            ElectionMutants::withTermsThatHearOfNoRelease,
            "ElectionRules.aLeaderThatReleasesItsGrantIsDeposedAndStandsAgain"),
        Mutant.ofClient(
            "failure-after-release-forgotten",
            "A leader that fails stands again after a pause, also if it has released its grant",
            ElectionMutants::withoutFailuresAfterARelease,
            "ElectionRules.aLeaderThatFailsAndClosesItsGrantStandsAgainAfterAPause"));
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

  /** The candidate gets the client's own grant, not the one whose release ends the term. */
  private static LockClient withTermsThatHearOfNoRelease(LockClient client) {
    ThreadLocal<Grant> last = new ThreadLocal<>(); // Each candidacy has a thread.
    LockClient remembering =
        Spoiling.method(
            "lock",
            LockClient.class,
            client,
            arguments -> remembering(client.lock((String) arguments.get(0)), last));
    Elections elections = new Elections(remembering, Grant::isHeld, Grant::onLost);
    return Spoiling.method(
        "election",
        LockClient.class,
        client,
        arguments ->
            standingAs(
                elections.of((String) arguments.get(0)),
                candidate -> new HasTheClientsGrant(candidate, last)));
  }

  private static DistributedLock remembering(DistributedLock lock, ThreadLocal<Grant> last) {
    return Spoiling.method(
        "acquire",
        DistributedLock.class,
        lock,
        arguments -> {
          Grant grant = lock.acquire((AcquireOptions) arguments.get(0));
          last.set(grant);
          return grant;
        });
  }

  private static LockClient withoutFailuresAfterARelease(LockClient client) {
    return Spoiling.method(
        "election",
        LockClient.class,
        client,
        arguments ->
            standingAs(client.election((String) arguments.get(0)), FailsNotAfterItsRelease::new));
  }

  private static Election standingAs(Election election, UnaryOperator<Candidate> mistake) {
    return Spoiling.method(
        "stand",
        Election.class,
        election,
        arguments -> {
          List<Object> given = new ArrayList<>(arguments);
          Candidate candidate = mistake.apply((Candidate) given.remove(given.size() - 1));
          return given.isEmpty()
              ? election.stand(candidate)
              : election.stand((AcquireOptions) given.get(0), candidate);
        });
  }

  private record HasTheClientsGrant(Candidate candidate, ThreadLocal<Grant> last)
      implements Candidate {

    @Override
    public void elected(Grant term) throws Exception {
      candidate.elected(last.get());
    }

    @Override
    public void deposed(LossReason reason) {
      candidate.deposed(reason);
    }

    @Override
    public void failed(RuntimeException problem) {
      candidate.failed(problem);
    }
  }

  /** Every exception when the term is over counts as thrown because it is over. */
  private record FailsNotAfterItsRelease(Candidate candidate) implements Candidate {

    @Override
    public void elected(Grant term) throws Exception {
      try {
        candidate.elected(term);
      } catch (Exception e) {
        if (term.isHeld()) {
          throw e;
        }
      }
    }

    @Override
    public void deposed(LossReason reason) {
      candidate.deposed(reason);
    }

    @Override
    public void failed(RuntimeException problem) {
      candidate.failed(problem);
    }
  }
}
