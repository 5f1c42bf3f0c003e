package io.holdfast.memory.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.election.Candidacy;
import io.holdfast.election.Candidate;
import io.holdfast.election.Leader;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.error.LossReason;
import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Candidacies, and the grants on which they lead or would lead. */
class CandidaciesTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String NAME = "a";

  private final CountDownLatch mayReturn = new CountDownLatch(1);
  private final List<String> told = new CopyOnWriteArrayList<>();

  private class Recorded implements Candidate {
    private final String name;

    Recorded(String name) {
      this.name = name;
    }

    @Override
    public void elected(Grant term) {
      told.add(name + " elected");
    }

    @Override
    public void deposed(LossReason reason) {
      told.add(name + " deposed");
    }
  }

  private static long number(LockClient client) {
    return client.find(NAME).map(LockRecord::number).orElse(0L);
  }

  /** Gives its lock back when it is elected, and has much to clear up when it is deposed. */
  private final class Slow extends Recorded {
    Slow() {
      super("slow");
    }

    @Override
    public void elected(Grant term) {
      super.elected(term);
      term.close();
    }

    @Override
    public void deposed(LossReason reason) {
      super.deposed(reason);
      try {
        mayReturn.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void until(BooleanSupplier done) {
    await().atMost(LONG).until(done::getAsBoolean);
  }

  private static boolean isHeld(LockClient client) {
    return client.find(NAME).filter(LockRecord::isHeld).isPresent();
  }

  /** Its lock is not kept for a least time, since nobody has led. */
  @Test
  void aCandidacyThatIsClosedBeforeItIsElectedLeavesTheLockFree() {
    try (LockClient client = Holdfast.connect("memory:closed-before-elected");
        LockClient other = Holdfast.connect("memory:closed-before-elected");
        Candidacy ignored = client.election(NAME).stand(new Slow())) {
      until(() -> told.contains("slow deposed"));
      AcquireOptions keeping = AcquireOptions.forever().atLeast(Duration.ofHours(1));
      Candidacy next = client.election(NAME).stand(keeping, new Recorded("next"));
      until(() -> isHeld(other));

      next.close();

      assertThat(other.lock(NAME).tryAcquire()).as("the lock that nobody led on").isPresent();
      assertThat(told).doesNotContain("next elected");
      mayReturn.countDown();
    }
  }

  /** Else this process would keep the lead from others for as long as its last leader clears up. */
  @Test
  void whoCannotBeElectedBecauseTheLastOneIsStillBeingDeposedLetsOthersLead() {
    try (LockClient client =
            Holdfast.builder().defaultTtl(Duration.ofSeconds(2)).connect("memory:stage-is-taken");
        LockClient other = Holdfast.connect("memory:stage-is-taken");
        Candidacy ignored = client.election(NAME).stand(new Slow())) {
      until(() -> told.contains("slow deposed"));
      long numberOfSlow = number(other);
      Candidacy next =
          client
              .election(NAME)
              .stand(AcquireOptions.forever().atLeast(Duration.ofHours(1)), new Recorded("next"));
      until(() -> number(other) > numberOfSlow);

      try (Candidacy elsewhere = other.election(NAME).stand(new Recorded("elsewhere"))) {
        until(() -> elsewhere.term().isPresent());
        Optional<Leader> leader = other.election(NAME).leader();
        assertThat(told).doesNotContain("next elected");
        assertThat(leader.map(Leader::term)).isEqualTo(elsewhere.term().map(Grant::token));
      }
      mayReturn.countDown();
      until(() -> told.contains("next elected"));
      next.close();
    }
  }

  /** A thread that looks whether somebody leads here takes nothing away from the leader. */
  @Test
  void whoAsksForTheTermDoesNotTakeTheGrantOver() throws Exception {
    CountDownLatch wasAsked = new CountDownLatch(1);
    List<Throwable> leadersOwn = new CopyOnWriteArrayList<>();
    try (LockClient client = Holdfast.connect("memory:who-asks")) {
      Candidate candidate =
          new Recorded("leader") {
            @Override
            public void elected(Grant term) {
              super.elected(term);
              try {
                wasAsked.await();
                client.lock(NAME).acquire(LONG);
              } catch (InterruptedException | RuntimeException e) {
                leadersOwn.add(e);
              }
            }
          };
      try (Candidacy leading = client.election(NAME).stand(candidate)) {
        until(() -> told.contains("leader elected"));
        assertThat(leading.term()).isPresent();

        assertThatThrownBy(() -> client.lock(NAME).acquire(Duration.ofMillis(100)))
            .isInstanceOf(LockTimeoutException.class);

        wasAsked.countDown();
        until(() -> !leadersOwn.isEmpty());
      }
    }
    assertThat(leadersOwn).hasOnlyElementsOfType(AlreadyHeldException.class);
  }
}
