package io.holdfast.tck.rules.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.PassingDeadline;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Going on with a session after a restart of the process, where a store can tell what it has. */
@Topic(value = "RSM", level = Level.CORE, clause = "ResumableSessions.resume")
public interface ResumeRules extends SpiRules {

  /** Queues of which one at least is there before its holder has lapsed. */
  int QUEUES_MAX = 20;

  private ResumableSessions resumable(LockBackend backend) {
    return StoreFixture.requireResumable(backend);
  }

  @Test
  @Rule("HF-RSM-01")
  @Proves(Claim.RESUMABLE)
  default void anOrphanedSessionIsResumedWithWhatItHoldsAndWaitsFor() {
    SpiClient other = fixture().client();
    LockName awaited = new LockName("awaited");
    other.hold(awaited);
    LockBackend before = fixture().connect();
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Held held = orphan.hold(LOCK);
    Request waits = orphan.queue(awaited);
    Request released = orphan.request(new LockName("released"));
    orphan.release(orphan.hold(released));
    before.close();
    LockBackend after = fixture().connect();

    Resumed resumed = resumable(after).resume(orphan.session(), StoreFixture.soon()).orElseThrow();

    assertThat(resumed.ttl()).isPositive();
    assertThat(resumed.requests()).containsExactlyInAnyOrder(held.request().key(), waits.key());
    assertThat(orphan.on(after).holding(held.request())).isEqualTo(held);
    orphan.on(after).waiting(waits);
    orphan.on(after).renewed();
  }

  @Test
  @Rule("HF-RSM-02")
  default void anOrphanedSessionKeepsItsLocksUntilItsTtl() {
    LockBackend before = fixture().connect();
    ResumableSessions unused = resumable(before);
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Held held = orphan.hold(LOCK);

    before.close();

    assertThat(fixture().client().refused(LOCK).request()).isEqualTo(held.request().id());
  }

  @Test
  @Rule("HF-RSM-03")
  default void aSessionThatIsOverIsNotResumed() {
    LockBackend backend = fixture().connect();
    ResumableSessions sessions = resumable(backend);
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    client.hold(LOCK);
    client.on(fixture().connect()).closeSession();

    assertThat(sessions.resume(client.session(), StoreFixture.soon())).isEmpty();
    assertThat(sessions.resume(StoreFixture.spec().id(), StoreFixture.soon())).isEmpty();
  }

  /** An overlooked request is kept by the renewals, and held by no thread. */
  @Test
  @Rule("HF-RSM-04")
  default void aRequestBehindAHolderThatHasLapsedIsResumedAsWell() {
    LockBackend before = fixture().connect();
    ResumableSessions unused = resumable(before);
    SpiClient between = fixture().client();
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Optional<Request> behind = Optional.empty();
    for (int tries = 0; behind.isEmpty() && tries < QUEUES_MAX; tries++) {
      LockName name = new LockName("lapsed/" + tries);
      fixture().holdShortly(holder -> holder.request(name));
      Request second = between.waitingRequest(name);
      Request third = orphan.waitingRequest(name);
      if (between.grab(second) instanceof Attempt.Queued
          && orphan.grab(third) instanceof Attempt.Queued) {
        behind = Optional.of(third);
      } else { // On a machine that stood still, the holder was over by then.
        between.release(second);
        orphan.release(third);
      }
    }
    Request waits = behind.orElseThrow();
    fixture().lapse();

    assertThat(resumedAfter(before, orphan)).containsExactly(waits.key());
  }

  @Test
  @Rule("HF-RSM-05")
  default void allRequestsOfASessionThatHasManyAreResumed() {
    SpiClient other = fixture().client();
    LockBackend before = fixture().connect();
    ResumableSessions unused = resumable(before);
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    List<RequestKey> requests = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      LockName name = new LockName("many/" + i);
      switch (i % 3) {
        case 0 -> requests.add(orphan.hold(name).request().key());
        case 1 -> {
          other.hold(name);
          requests.add(orphan.queue(name).key());
        }
        default -> other.hold(name);
      }
      orphan.keepAlive();
      other.keepAlive();
    }

    assertThat(resumedAfter(before, orphan)).containsExactlyInAnyOrderElementsOf(requests);
  }

  @Test
  @Rule("HF-RSM-06")
  default void severalRequestsForOneLockAreResumed() {
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "This store does not claim shared mode.");
    LockBackend before = fixture().connect();
    ResumableSessions unused = resumable(before);
    fixture().client().share(LOCK);
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Held one = orphan.share(LOCK);
    Held two = orphan.share(LOCK);
    Request waits = orphan.queue(LOCK);
    Request alsoWaits = orphan.queueShared(LOCK);

    assertThat(resumedAfter(before, orphan))
        .containsExactlyInAnyOrder(
            one.request().key(), two.request().key(), waits.key(), alsoWaits.key());
  }

  @Test
  @Rule("HF-RSM-07")
  default void whatWasGivenBackAndStaysIsNotResumed() {
    NotApplicableException.unless(
        fixture().capabilities().stays().contains(Stays.AT_LEAST),
        "This store does not claim least times.");
    LockBackend before = fixture().connect();
    ResumableSessions unused = resumable(before);
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Held held = orphan.hold(new LockName("held"));
    Held stays = orphan.hold(LOCK);
    assertThat(orphan.releaseAfter(stays.request(), StoreFixture.LONG)).isEqualTo(Released.STAYS);

    assertThat(resumedAfter(before, orphan)).containsExactly(held.request().key());
  }

  @Test
  @Rule("HF-RSM-08")
  default void whoResumesASessionIsHintedFromThenOn() throws Exception {
    fixture().requireWakeup(Wakeup.PUSH);
    SpiClient other = fixture().client();
    LockBackend before = fixture().connect();
    ResumableSessions unused = resumable(before);
    Held held = other.hold(LOCK);
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Request waits = orphan.queue(LOCK);
    LockBackend after = fixture().connect();
    assertThat(resumedAfter(before, orphan.on(after))).containsExactly(waits.key());
    Queue<LockName> hints = new ConcurrentLinkedQueue<>();

    try (AutoCloseable listening =
        after.listen(orphan.session(), hints::add, StoreFixture.soon())) {
      orphan.on(after).waiting(waits);
      other.release(held);

      Awaitility.await().atMost(fixture().store().maxWait()).until(() -> !hints.isEmpty());
      assertThat(hints).containsOnly(LOCK);
    }
  }

  /** It passes before the first time that it is asked for, before the second, and so on. */
  @Test
  @Rule("HF-RSM-09")
  default void aResumptionThatRunsOutOfTimeFailsAndOverlooksNothing() {
    LockBackend backend = fixture().connect();
    ResumableSessions sessions = resumable(backend);
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Held held = client.hold(LOCK);
    Held other = client.hold(new LockName("other"));

    boolean wasSeen = true;
    for (int times = 1; wasSeen && times <= 100; times++) {
      PassingDeadline passing = PassingDeadline.whenAsked(times);
      try {
        assertThat(sessions.resume(client.session(), passing.deadline()).orElseThrow().requests())
            .containsExactlyInAnyOrder(held.request().key(), other.request().key());
      } catch (BackendFailure e) {
        assertThat(passing.wasSeen()).as("whether the time was up: %s", e).isTrue();
      }
      wasSeen = passing.wasSeen();
    }
  }

  /** A store that lists what outlives its session may have it there for two reasons. */
  @Test
  @Rule("HF-RSM-10")
  default void whatWasGivenBackAndStaysIsNotResumedForItsLockDelay() {
    NotApplicableException.unless(
        fixture().capabilities().stays().containsAll(Set.of(Stays.AT_LEAST, Stays.LOCK_DELAY)),
        "This store does not claim least times and lock-delays.");
    LockBackend before = fixture().connect();
    ResumableSessions unused = resumable(before);
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Held held = orphan.hold(orphan.request(new LockName("held")).lockDelay(StoreFixture.LONG));
    Held stays = orphan.hold(orphan.request(LOCK).lockDelay(StoreFixture.LONG));
    assertThat(orphan.releaseAfter(stays.request(), StoreFixture.LONG)).isEqualTo(Released.STAYS);

    assertThat(resumedAfter(before, orphan)).containsExactly(held.request().key());
  }

  /** Ends the earlier life, and resumes the session on the connection of the later one. */
  private List<RequestKey> resumedAfter(LockBackend earlierLife, SpiClient orphan) {
    earlierLife.close();
    LockBackend later = orphan.backend() == earlierLife ? fixture().connect() : orphan.backend();
    Resumed resumed = resumable(later).resume(orphan.session(), StoreFixture.soon()).orElseThrow();
    orphan.on(later).renewed();
    return resumed.requests();
  }
}
