package io.holdfast.tck.rules.queue;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.record.Liveness;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EngineSteps;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Requests whose session ended while they waited: they count for nothing and block no request. */
@Topic(
    value = "DEA",
    level = Level.CORE,
    clause = "LockBackend.end: requests of a session that is over count for nothing")
public interface DeadWaiterRules extends SpiRules {

  /** No client is left to tell those behind; they find out by looking, one after the other. */
  @Test
  @Rule("HF-DEA-01")
  default void aHolderAndTheNextWaiterDeadTogetherStrandNobody() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient dead = fixture().client();
    Held held = dead.hold(LOCK);
    SpiClient deadToo = fixture().client();
    Request deadNext = deadToo.queue(LOCK);
    SpiClient third = fixture().client();
    SpiClient fourth = fixture().client();
    Request waits = third.queue(LOCK);
    Request behind = fourth.queue(LOCK);
    dead.closeSession();
    deadToo.closeSession();

    List<Obstacle> seen = fourth.waiting(behind).obstacles();
    assertThat(seen)
        .contains(new Obstacle(held.observed(), held.request().id(), Liveness.ENDED))
        .allMatch(obstacle -> obstacle.liveness() == Liveness.ENDED);
    Held granted = EngineSteps.overtakeUntilGranted(third, waits);

    assertThat(granted.number()).isGreaterThan(held.number());
    assertThat(third.inspect(LOCK).orElseThrow().waiters())
        .extracting(Waiter::request)
        .containsExactly(behind.id())
        .doesNotContain(deadNext.id());
    third.release(granted);
    fourth.holding(behind);
  }

  /** A session that ended while its request waited may be made head, but never stays it. */
  @Test
  @Rule("HF-DEA-02")
  default void aWaiterWhoseSessionEndedIsNotLeftAsHolder() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient dead = fixture().client();
    dead.queue(LOCK);
    SpiClient behind = fixture().client();
    Request waits = behind.queue(LOCK);
    dead.closeSession();

    holder.release(held);

    EngineSteps.overtakeUntilGranted(behind, waits);
  }

  @Test
  @Rule("HF-DEA-03")
  default void aWaiterInTheMiddleWhoseSessionEndedIsAnObstacleThatAnybodyRemoves() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient holder = fixture().client();
    holder.hold(LOCK);
    SpiClient dead = fixture().client();
    Request gone = dead.queue(LOCK);
    SpiClient behind = fixture().client();
    Request waits = behind.queue(LOCK);
    dead.closeSession();

    List<Obstacle> obstacles = behind.waiting(waits).obstacles();
    assertThat(obstacles).hasSize(1);
    assertThat(obstacles.get(0).request()).isEqualTo(gone.id());
    assertThat(obstacles.get(0).isHead()).as("isHead() of %s", obstacles.get(0)).isFalse();
    assertThat(behind.backend().release(LOCK, gone.id(), StoreFixture.soon()))
        .isEqualTo(Released.WAS_WAITING);

    behind.requireWaiting(waits, 1);
  }

  /**
   * A holder has the lock for itself, even if it was written to: a dead shared request behind it
   * only waits, and is removed as one that waits. Else no client would remove it.
   */
  @Test
  @Rule("HF-DEA-04")
  default void aDeadSharedRequestBehindAnExclusiveHolderIsNoHolder() {
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "Locks of this store are exclusive.");
    NotApplicableException.unless(
        fixture().capabilities().stays().containsAll(Set.of(Stays.values())),
        "This store does not claim all of " + Set.of(Stays.values()));
    SpiClient holder = fixture().client();
    Held revoked = holder.hold(new LockName("revoked"));
    requireOneThatWaits(
        revoked,
        () ->
            holder
                .backend()
                .revokeIn(revoked.observed(), LONG.multipliedBy(2), StoreFixture.soon()));
    Held givenBack = holder.hold(new LockName("given-back"));
    requireOneThatWaits(givenBack, () -> holder.releaseAfter(givenBack.request(), LONG));
  }

  /** A store may have removed it itself, or read it only when the holder has left. */
  private void requireOneThatWaits(Held held, Runnable writeToTheHolder) {
    SpiClient dead = fixture().client();
    Request gone = dead.sharedRequest(held.name()).lockDelay(LONG);
    assertThat(dead.grab(gone)).isEqualTo(new Attempt.Queued());
    SpiClient behind = fixture().client();
    Request waits = behind.queue(held.name());
    writeToTheHolder.run();
    dead.on(fixture().connect()).closeSession();

    for (Obstacle obstacle : behind.waiting(waits).obstacles()) {
      assertThat(obstacle).isEqualTo(new Obstacle(held.observed(), gone.id(), Liveness.ENDED));
      assertThat(behind.backend().release(held.name(), gone.id(), StoreFixture.soon()))
          .isEqualTo(Released.WAS_WAITING);
    }
    assertThat(behind.waiting(waits).obstacles()).as("what is left in the way").isEmpty();
  }
}
