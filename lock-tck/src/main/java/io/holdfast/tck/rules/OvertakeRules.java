package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Standing;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Removing a holder that does not count any more, and no other. */
public interface OvertakeRules extends SpiRules {

  @Test
  default void aHolderWhoseSessionEndedIsOvertaken() {
    Held dead = deadHolder();
    SpiClient newcomer = bench().client();

    assertThat(newcomer.refused(LOCK).liveness()).isEqualTo(Liveness.ENDED);
    Held held = newcomer.overtake(dead.observed());

    assertThat(held.number()).isGreaterThan(dead.number());
    assertThat(newcomer.holding(held.request())).isEqualTo(held);
  }

  @Test
  default void aHolderWhoseSessionLivesIsNotOvertaken() {
    SpiClient holder = bench().client();
    Held held = holder.hold(LOCK);
    SpiClient newcomer = bench().client();
    Request request = newcomer.request(LOCK);

    assertThat(newcomer.overtake(request, held.observed())).isInstanceOf(Attempt.Refused.class);

    assertThat(holder.holding(held.request())).isEqualTo(held);
    assertThat(newcomer.standing(request)).isEqualTo(new Standing.Absent());
  }

  /** Its time has passed, but nobody has ended it: a late renewal still saves it, and its grant. */
  @Test
  default void aHolderThatOnlyLapsedIsNotOvertaken() {
    SpiClient holder = bench().client(SHORT);
    Held held = holder.hold(LOCK);
    SpiClient newcomer = bench().client();
    bench().lapse();

    assertThat(newcomer.refused(LOCK).liveness()).isEqualTo(Liveness.LAPSED);
    assertThat(newcomer.overtake(newcomer.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);

    holder.renewed();
    assertThat(holder.holding(held.request())).isEqualTo(held);
  }

  /** The whole way: it lapses, is ended by whoever wants its lock, and only then is overtaken. */
  @Test
  default void aHolderThatLapsedIsOvertakenOnceItWasEnded() {
    SpiClient holder = bench().client(SHORT);
    Held held = holder.hold(LOCK);
    SpiClient newcomer = bench().client();
    bench().lapse();

    newcomer.backend().end(holder.session(), EndIf.LAPSED, Bench.soon());
    Held next = newcomer.overtake(held.observed());

    assertThat(next.number()).isGreaterThan(held.number());
    assertThat(holder.standing(held.request())).isEqualTo(new Standing.Absent());
    assertThat(holder.release(held)).isEqualTo(Released.NOTHING);
  }

  @Test
  default void anOvertakeOfAGrantThatIsNotInForceAnyMoreChangesNothing() {
    SpiClient first = bench().client();
    Held observed = first.hold(LOCK);
    first.release(observed);
    Held dead = deadHolder();
    SpiClient newcomer = bench().client();

    assertThat(newcomer.overtake(newcomer.request(LOCK), observed.observed()))
        .isInstanceOf(Attempt.Refused.class);

    assertThat(newcomer.holder(LOCK).request()).isEqualTo(dead.request().id());
    newcomer.overtake(dead.observed());
  }

  @Test
  default void anOvertakeIsBoundToTheNumberObserved() {
    Held dead = deadHolder();
    SpiClient newcomer = bench().client();
    Observed other = new Observed(LOCK, dead.number() - 1, dead.request().id());

    assertThat(newcomer.overtake(newcomer.request(LOCK), other))
        .isInstanceOf(Attempt.Refused.class);

    assertThat(newcomer.holder(LOCK).request()).isEqualTo(dead.request().id());
  }

  @Test
  default void anOvertakeOfALockThatBecameFreeTakesNothing() {
    SpiClient holder = bench().client();
    Held held = holder.hold(LOCK);
    holder.release(held);
    SpiClient newcomer = bench().client();

    Attempt attempt = newcomer.overtake(newcomer.request(LOCK), held.observed());

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    assertThat(((Attempt.Refused) attempt).record().holder()).isEmpty();
    assertThat(newcomer.isFree(LOCK)).isTrue();
  }

  @Test
  default void theNextWaiterHasTheLockWhoeverOvertakes() {
    SpiClient dead = bench().client();
    Held held = dead.hold(LOCK);
    SpiClient waiter = bench().client();
    Request waits = waiter.queue(LOCK);
    dead.closeSession();
    SpiClient newcomer = bench().client();
    Request passes = newcomer.patient(LOCK);

    Attempt attempt = newcomer.overtake(passes, held.observed());

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    assertThat(newcomer.standing(passes)).isEqualTo(new Standing.Absent());
  }

  @Test
  default void aWaiterThatOvertakesIsToldHowItStands() {
    SpiClient dead = bench().client();
    Held held = dead.hold(LOCK);
    SpiClient first = bench().client();
    SpiClient second = bench().client();
    Request next = first.queue(LOCK);
    Request last = second.queue(LOCK);
    dead.closeSession();

    assertThat(second.overtake(last, held.observed())).isEqualTo(new Attempt.Queued());
    assertThat(first.overtake(next, held.observed())).isInstanceOf(Attempt.Granted.class);

    assertThat(second.waiting(last)).isEqualTo(new Standing.Waiting(1, List.of()));
  }

  @Test
  default void repeatingAnOvertakeIsTheSameGrant() {
    Held dead = deadHolder();
    SpiClient newcomer = bench().client();
    Held held = newcomer.overtake(dead.observed());

    Attempt again = newcomer.overtake(held.request(), dead.observed());

    assertThat(again).isInstanceOf(Attempt.Granted.class);
    assertThat(((Attempt.Granted) again).number()).isEqualTo(held.number());
    assertThat(newcomer.release(held)).isEqualTo(Released.FREED);
  }

  @Test
  default void ofManyWhoOvertakeAtOnceExactlyOneIsGranted() {
    List<SpiClient> clients = Stream.generate(() -> bench().client()).limit(6).toList();

    for (int round = 0; round < 10; round++) {
      SpiClient dead = bench().client();
      Observed observed = dead.hold(new LockName("over/" + round)).observed();
      dead.closeSession();
      List<Attempt> attempts =
          Together.call(clients.stream().map(client -> overtaking(client, observed)).toList());

      assertThat(attempts).filteredOn(Attempt.Granted.class::isInstance).hasSize(1);
    }
  }

  private static Callable<Attempt> overtaking(SpiClient client, Observed observed) {
    return () -> client.overtake(client.request(observed.name()), observed);
  }

  @Test
  default void aSessionThatIsOverOvertakesNobody() {
    Held dead = deadHolder();
    SpiClient client = bench().client();
    client.closeSession();

    assertThat(client.overtake(client.request(LOCK), dead.observed()))
        .isEqualTo(new Attempt.SessionOver());
  }

  /** Nobody is left to tell those behind; they find out by looking, one after the other. */
  @Test
  default void aHolderAndTheNextWaiterDeadTogetherStrandNobody() {
    SpiClient dead = bench().client();
    Held held = dead.hold(LOCK);
    SpiClient deadToo = bench().client();
    Request deadNext = deadToo.queue(LOCK);
    SpiClient third = bench().client();
    SpiClient fourth = bench().client();
    Request waits = third.queue(LOCK);
    Request behind = fourth.queue(LOCK);
    dead.closeSession();
    deadToo.closeSession();

    List<Obstacle> seen = fourth.waiting(behind).obstacles();
    assertThat(seen)
        .contains(new Obstacle(held.observed(), held.request().id(), Liveness.ENDED))
        .allMatch(obstacle -> obstacle.liveness() == Liveness.ENDED);
    Held granted = overtakeUntilGranted(third, waits);

    assertThat(granted.number()).isGreaterThan(held.number());
    assertThat(third.inspect(LOCK).orElseThrow().waiters())
        .extracting(io.holdfast.Waiter::request)
        .containsExactly(behind.id())
        .doesNotContain(deadNext.id());
    third.release(granted);
    fourth.holding(behind);
  }

  /** A session that ended while its request waited may be made head, but never stays it. */
  @Test
  default void aWaiterWhoseSessionEndedIsNotLeftAsHolder() {
    SpiClient holder = bench().client();
    Held held = holder.hold(LOCK);
    SpiClient dead = bench().client();
    dead.queue(LOCK);
    SpiClient behind = bench().client();
    Request waits = behind.queue(LOCK);
    dead.closeSession();

    holder.release(held);

    overtakeUntilGranted(behind, waits);
  }

  @Test
  default void aWaiterInTheMiddleWhoseSessionEndedIsAnObstacleThatAnybodyRemoves() {
    SpiClient holder = bench().client();
    holder.hold(LOCK);
    SpiClient dead = bench().client();
    Request gone = dead.queue(LOCK);
    SpiClient behind = bench().client();
    Request waits = behind.queue(LOCK);
    dead.closeSession();

    List<Obstacle> obstacles = behind.waiting(waits).obstacles();
    assertThat(obstacles).hasSize(1);
    assertThat(obstacles.get(0).request()).isEqualTo(gone.id());
    assertThat(obstacles.get(0).isHead()).isFalse();
    assertThat(behind.backend().release(LOCK, gone.id(), Bench.soon()))
        .isEqualTo(Released.WAS_WAITING);

    assertThat(behind.waiting(waits)).isEqualTo(new Standing.Waiting(1, List.of()));
  }

  /** What the engine does with what look tells, without its patience. */
  private static Held overtakeUntilGranted(SpiClient client, Request waits) {
    for (int i = 0; i < 5 && client.standing(waits) instanceof Standing.Waiting waiting; i++) {
      assertThat(waiting.obstacles()).as("what look tells a waiter behind the dead").isNotEmpty();
      Obstacle obstacle = waiting.obstacles().get(0);
      if (obstacle.isHead()) {
        client.overtake(waits, obstacle.head());
      } else {
        client.backend().release(waits.name(), obstacle.request(), Bench.soon());
      }
    }
    return client.holding(waits);
  }

  private Held deadHolder() {
    SpiClient dead = bench().client();
    Held held = dead.hold(LOCK);
    dead.closeSession();
    return held;
  }
}
