package io.holdfast.tck.client.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.Payload;
import io.holdfast.ReleaseOutcome;
import io.holdfast.election.Candidacy;
import io.holdfast.election.Candidate;
import io.holdfast.election.Leader;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LossReason;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.watch.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Elections. */
@Topic(value = "ELE", level = Level.CORE, clause = "LockClient.election")
public interface ElectionRules extends ClientFixture {

  /** For how long something that must not happen is looked for. */
  public Duration A_WHILE = Duration.ofMillis(500);

  /** A candidate that writes down what it is told, beside others. */
  public class Recorded implements Candidate {
    private final String name;
    private final List<String> told;
    private final List<FencingToken> terms = new CopyOnWriteArrayList<>();

    Recorded(String name, List<String> told) {
      this.name = name;
      this.told = told;
    }

    List<FencingToken> terms() {
      return terms;
    }

    @Override
    public void elected(Grant term) {
      terms.add(term.token());
      told.add(name + " elected");
    }

    @Override
    public void deposed(LossReason reason) {
      told.add(name + " deposed: " + reason);
    }
  }

  /** A candidate that takes its time to be deposed. */
  private Recorded slow(List<String> told, CountDownLatch mayReturn) {
    return new Recorded("slow", told) {
      @Override
      public void deposed(LossReason reason) {
        try {
          if (!mayReturn.await(longWait().toMillis(), TimeUnit.MILLISECONDS)) {
            told.add("too slow");
          }
        } catch (InterruptedException e) {
          told.add("interrupted");
        }
        super.deposed(reason);
      }
    };
  }

  /** Waits for something that must come about. */
  private void until(BooleanSupplier done) {
    await().atMost(longWait()).until(done::getAsBoolean);
  }

  private void untilWaiting(TestClient client, int waiters) {
    until(
        () ->
            client.client().find(NAME).map(LockRecord::waiters).orElse(List.of()).size()
                == waiters);
  }

  @Test
  @Rule("HF-ELE-01")
  default void whoResignsIsDeposedBeforeTheNextIsElectedAndStandsAgain() {
    List<String> told = new CopyOnWriteArrayList<>();
    Recorded one = new Recorded("one", told);
    Recorded two = new Recorded("two", told);
    TestClient first = client();
    TestClient second = client();
    try (Candidacy leading = first.client().election(NAME).stand(one)) {
      until(() -> leading.term().isPresent());
      try (Candidacy following = second.client().election(NAME).stand(two)) {
        untilWaiting(first, 1);
        assertThat(following.term()).as("the term of one that waits").isEmpty();
        leading.resign();
        until(() -> following.term().isPresent());
        untilWaiting(second, 1);
        following.resign();
        until(() -> one.terms.size() == 2);
      }
    }
    assertThat(told)
        .containsExactly(
            "one elected",
            "one deposed: RELEASED",
            "two elected",
            "two deposed: RELEASED",
            "one elected",
            "one deposed: RELEASED");
    assertThat(List.of(one.terms.get(0), two.terms.get(0), one.terms.get(1))).isSorted();
    assertThat(first.client().find(NAME).map(LockRecord::waiters).orElse(List.of()))
        .as("those who wait when all candidacies are closed")
        .isEmpty();
  }

  /**
   * A candidate that is deposed because its grant was lost may still be at work when the lock has
   * passed on to another candidacy of the same client.
   */
  @Test
  @Rule(value = "HF-ELE-02", marked = 22)
  default void theNextOfAProcessIsElectedOnlyWhenTheLastOneHasBeenDeposed() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    CountDownLatch mayReturn = new CountDownLatch(1);
    Recorded slow = slow(told, mayReturn);
    Recorded next = new Recorded("next", told);
    TestClient one = steadyClient();
    TestClient operator = client();
    try (Candidacy leading = one.client().election(NAME).stand(slow)) {
      until(() -> leading.term().isPresent());
      try (Candidacy following = one.client().election(NAME).stand(next)) {
        LockRecord seen = operator.client().find(NAME).orElseThrow();
        operator.client().revoke(seen, RevokeWhen.NOW);
        until(
            () ->
                operator
                    .client()
                    .find(NAME)
                    .filter(record -> record.isHeld() && record.number() > seen.number())
                    .isPresent());
        await().during(A_WHILE).atMost(longWait()).until(() -> !told.contains("next elected"));
        mayReturn.countDown();
        until(() -> following.term().isPresent());
      }
    }
    assertThat(told).startsWith("slow elected", "slow deposed: REVOKED", "next elected");
  }

  @Test
  @Rule("HF-ELE-03")
  default void othersSeeWhoLeadsWithoutStanding() {
    TestClient one = client();
    TestClient observer = client();
    assertThat(observer.client().election(NAME).leader()).isEmpty();
    AcquireOptions options =
        AcquireOptions.forever().payload(Payload.ofText("10.0.0.1:80")).why("to serve");
    Recorded candidate = new Recorded("one", new CopyOnWriteArrayList<>());
    try (Candidacy leading = one.client().election(NAME).stand(options, candidate)) {
      until(() -> leading.term().isPresent());
      Leader leader = observer.client().election(NAME).leader().orElseThrow();
      assertThat(leader.payload()).isEqualTo(options.payload());
      assertThat(leader.why()).isEqualTo("to serve");
      assertThat(leader.term()).isEqualTo(candidate.terms.get(0));
    }
    assertThat(observer.client().election(NAME).leader()).isEmpty();
  }

  @Test
  @Rule("HF-ELE-04")
  default void aLeaderWhoseTermEndsWhileItIsBeingToldIsInterruptedAndThenDeposed() {
    List<String> told = new CopyOnWriteArrayList<>();
    Candidate working = workingUntilInterrupted(told);
    TestClient one = client();
    try (Candidacy leading = one.client().election(NAME).stand(working)) {
      until(() -> told.contains("one elected"));
      assertThat(leading.term()).as("the term of one that is being told").isPresent();
    }
    assertThat(told).containsExactly("one elected", "one interrupted", "one deposed: RELEASED");
  }

  @Test
  @Rule("HF-ELE-05")
  default void whenItsClientIsClosedTheLeaderIsDeposed() {
    List<String> told = new CopyOnWriteArrayList<>();
    TestClient one = client();
    TestClient two = client();
    Candidacy leading = one.client().election(NAME).stand(new Recorded("one", told));
    Candidacy waiting = one.client().election(NAME).stand(new Recorded("two", told));
    until(() -> leading.term().isPresent() || waiting.term().isPresent());
    one.client().close();
    until(() -> told.size() == 2);
    assertThat(told.get(1)).endsWith("deposed: CLIENT_CLOSED");
    assertThat(two.attempt(NAME)).as("the lock of an election without candidates").isPresent();
    leading.close();
    waiting.close();
    assertThat(told).hasSize(2);
  }

  @Test
  @Rule("HF-ELE-06")
  default void whatIsNoElectionIsRefused() {
    TestClient one = client();
    Candidate candidate = new Recorded("one", new CopyOnWriteArrayList<>());
    for (AcquireOptions wrong :
        List.of(
            AcquireOptions.once(),
            AcquireOptions.forever().shared(),
            AcquireOptions.forever().cached(),
            AcquireOptions.forever().uninterruptibly())) {
      assertThatThrownBy(() -> one.client().election(NAME).stand(wrong, candidate))
          .as("standing with %s", wrong)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining(NAME);
    }
    assertThat(one.client().find(NAME)).isEmpty();
  }

  @Test
  @Rule("HF-ELE-07")
  default void observersAreToldWhoLeadsAndThatNobodyDoes() {
    TestClient one = client();
    TestClient observer = client();
    List<Optional<Leader>> told = new CopyOnWriteArrayList<>();
    AcquireOptions options = AcquireOptions.forever().payload(Payload.ofText("10.0.0.1:80"));
    Recorded candidate = new Recorded("one", new CopyOnWriteArrayList<>());
    try (Watch ignored =
        observer.client().election(NAME).observe(Duration.ofMillis(50), told::add)) {
      until(() -> told.size() == 1);
      try (Candidacy leading = one.client().election(NAME).stand(options, candidate)) {
        until(() -> told.size() == 2);
        until(() -> leading.term().isPresent());
      }
      until(() -> told.size() == 3);
    }
    assertThat(told.get(0)).isEmpty();
    assertThat(told.get(1).map(Leader::term)).contains(candidate.terms.get(0));
    assertThat(told.get(1).map(Leader::payload)).contains(options.payload());
    assertThat(told.get(2)).isEmpty();
    assertThat(observer.count(Verb.OPEN)).as("sessions of an observer").isZero();
  }

  /** Its lock may stay taken for a time, or its least time may not be over. */
  @Test
  @Rule("HF-ELE-08")
  default void aLeaderThatHasGoneDoesNotLeadWhileItsLockStaysTaken() {
    NotApplicableException.unless(
        fixture().capabilities().stays().contains(Stays.AT_LEAST),
        "This store claims no least time.");
    TestClient one = client();
    TestClient observer = client();
    AcquireOptions options = AcquireOptions.forever().atLeast(AcquireOptions.STAY_MAX);
    Recorded candidate = new Recorded("one", new CopyOnWriteArrayList<>());
    try (Candidacy leading = one.client().election(NAME).stand(options, candidate)) {
      until(() -> leading.term().isPresent());
      assertThat(observer.client().election(NAME).leader()).isPresent();
    }

    assertThat(observer.client().find(NAME).filter(LockRecord::isHeld))
        .as("the lock of a leader that has gone before its least time was over")
        .isPresent();
    assertThat(observer.client().election(NAME).leader()).isEmpty();
  }

  /** It is lost while the last leader of its process is still being deposed. */
  @Test
  @Rule(value = "HF-ELE-09", marked = 22)
  default void whoeverHasLostTheLockBeforeItsTermBeginsIsNotElected() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    CountDownLatch mayReturn = new CountDownLatch(1);
    Recorded slow = slow(told, mayReturn);
    TestClient one = steadyClient();
    TestClient other = steadyClient();
    try (Candidacy leading = one.client().election(NAME).stand(slow)) {
      until(() -> leading.term().isPresent());
      try (Candidacy following = one.client().election(NAME).stand(new Recorded("next", told))) {
        long last = revokeLeader(other, 0);
        until(() -> other.client().find(NAME).filter(lock -> lock.number() > last).isPresent());
        Waiting waits = other.waitFor(NAME, longWait());
        untilWaiting(other, 1);
        revokeLeader(other, last);
        Grant theirs = waits.grant();
        long renewals = one.answers(Verb.RENEW);
        until(() -> one.answers(Verb.RENEW) >= renewals + 2); // It was told that it has lost it.
        mayReturn.countDown();
        await().during(A_WHILE).atMost(longWait()).until(() -> !told.contains("next elected"));
        theirs.release();
        until(() -> following.term().isPresent() || leading.term().isPresent());
      }
    }
  }

  /** Its grant can be closed as any other. A leader that has closed it leads no more. */
  @Test
  @Rule("HF-ELE-10")
  default void aLeaderThatReleasesItsGrantIsDeposedAndStandsAgain() {
    List<String> told = new CopyOnWriteArrayList<>();
    Recorded closing =
        new Recorded("one", told) {
          @Override
          public void elected(Grant term) {
            super.elected(term);
            if (terms().size() == 1) {
              try (term) {
                told.add("one works");
              }
            }
          }
        };
    TestClient one = client();
    try (Candidacy leading = one.client().election(NAME).stand(closing)) {
      until(() -> closing.terms().size() == 2 && leading.term().isPresent());
      Grant second = leading.term().orElseThrow();
      assertThat(second.release())
          .as("the release of the second term")
          .isEqualTo(ReleaseOutcome.FREED);
      assertThat(second.isHeld()).as("the grant of a term that was released").isFalse();
      until(() -> closing.terms().size() == 3);
    }
    assertThat(told)
        .containsExactly(
            "one elected",
            "one works",
            "one deposed: RELEASED",
            "one elected",
            "one deposed: RELEASED",
            "one elected",
            "one deposed: RELEASED");
    assertThat(closing.terms()).isSorted();
  }

  /** Its work fails, and its grant is closed before the candidacy learns of it. */
  @Test
  @Rule("HF-ELE-11")
  default void aLeaderThatFailsAndClosesItsGrantStandsAgainAfterAPause() {
    List<Long> electedAt = new CopyOnWriteArrayList<>();
    List<Long> deposedAt = new CopyOnWriteArrayList<>();
    Candidate failing =
        new Candidate() {
          @Override
          public void elected(Grant term) {
            electedAt.add(System.nanoTime());
            try (term) {
              throw new IllegalStateException("The work fails.");
            }
          }

          @Override
          public void deposed(LossReason reason) {
            deposedAt.add(System.nanoTime());
          }
        };
    TestClient one = client();
    try (Candidacy ignored = one.client().election(NAME).stand(failing)) {
      until(() -> electedAt.size() >= 2);
    }
    assertThat(Duration.ofNanos(electedAt.get(1) - deposedAt.get(0)))
        .as("the time between two terms of one that fails")
        .isGreaterThan(A_WHILE);
  }

  /** The next may be elected as soon as the lease is over, however long the grace time is. */
  @Test
  @Rule("HF-ELE-12")
  default void aLeaderWhoseLeaseIsOverIsDeposedThoughARenewalMaySaveItYet() {
    List<String> told = new CopyOnWriteArrayList<>();
    Candidate working = workingUntilInterrupted(told);
    TestClient one =
        client(Holdfast.builder().defaultTtl(SHORT_TTL).grace(longWait().multipliedBy(10)));
    try (Candidacy ignored = one.client().election(NAME).stand(working)) {
      until(() -> told.contains("one elected"));
      one.faults().every(Verb.RENEW, call -> true, Fault.refused());
      until(() -> told.contains("one deposed: LEASE_EXPIRED"));
      until(() -> one.count(Verb.RELEASE) > 0);
    }
    assertThat(told).startsWith("one elected", "one interrupted", "one deposed: LEASE_EXPIRED");
  }

  private static Candidate workingUntilInterrupted(List<String> told) {
    return new Recorded("one", told) {
      @Override
      public void elected(Grant term) {
        super.elected(term);
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          told.add("one interrupted");
        }
      }
    };
  }

  private long revokeLeader(TestClient operator, long last) {
    LockRecord seen =
        operator.client().find(NAME).filter(lock -> lock.number() > last).orElseThrow();
    operator.client().revoke(seen, RevokeWhen.NOW);
    return seen.number();
  }
}
