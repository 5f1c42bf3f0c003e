package io.holdfast.tck.rules.queue;

import static io.holdfast.tck.fixture.StoreFixture.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.record.Liveness;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.ConcurrentCalls;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Removing a holder that does not count any more, and no other. */
@Topic(value = "OVT", level = Level.CORE, clause = "LockBackend.overtake")
public interface OvertakeRules extends SpiRules {

  @Test
  @Rule("HF-OVT-01")
  default void aHolderWhoseSessionEndedIsOvertaken() {
    Held dead = fixture().deadHolder(LOCK);
    SpiClient newcomer = fixture().client();

    assertThat(newcomer.refused(LOCK).liveness()).isEqualTo(Liveness.ENDED);
    Held held = newcomer.overtake(dead.observed());

    assertThat(held.number()).isGreaterThan(dead.number());
    assertThat(newcomer.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-OVT-02")
  default void aHolderWhoseSessionLivesIsNotOvertaken() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient newcomer = fixture().client();
    Request request = newcomer.request(LOCK);

    assertThat(newcomer.overtake(request, held.observed())).isInstanceOf(Attempt.Refused.class);

    assertThat(holder.holding(held.request())).isEqualTo(held);
    assertThat(newcomer.standing(request)).isEqualTo(new Standing.Absent());
  }

  /**
   * Its time has passed, but no client has ended it: a late renewal still saves it, and its grant.
   */
  @Test
  @Rule(value = "HF-OVT-03", marked = 2)
  default void aHolderThatOnlyLapsedIsNotOvertaken() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient holder = fixture().client(SHORT);
    Held held = holder.hold(LOCK);
    SpiClient newcomer = fixture().client();
    fixture().lapse();

    assertThat(newcomer.refused(LOCK).liveness()).isEqualTo(Liveness.LAPSED);
    assertThat(newcomer.overtake(newcomer.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);

    holder.renewed();
    assertThat(holder.holding(held.request())).isEqualTo(held);
  }

  /**
   * The whole way: it lapses, is ended by a client that wants its lock, and only then is overtaken.
   */
  @Test
  @Rule("HF-OVT-04")
  default void aHolderThatLapsedIsOvertakenOnceItWasEnded() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient holder = fixture().client(SHORT);
    Held held = holder.hold(LOCK);
    SpiClient newcomer = fixture().client();
    fixture().lapse();

    newcomer.backend().end(holder.session(), EndIf.LAPSED, StoreFixture.soon());
    Held next = newcomer.overtake(held.observed());

    assertThat(next.number()).isGreaterThan(held.number());
    assertThat(holder.standing(held.request())).isEqualTo(new Standing.Absent());
    assertThat(holder.release(held)).isEqualTo(Released.NOTHING);
  }

  @Test
  @Rule("HF-OVT-05")
  default void anOvertakeOfAGrantThatIsNotInForceAnyMoreChangesNothing() {
    SpiClient first = fixture().client();
    Held observed = first.hold(LOCK);
    first.release(observed);
    Held dead = fixture().deadHolder(LOCK);
    SpiClient newcomer = fixture().client();

    assertThat(newcomer.overtake(newcomer.request(LOCK), observed.observed()))
        .isInstanceOf(Attempt.Refused.class);

    assertThat(newcomer.holder(LOCK).request()).isEqualTo(dead.request().id());
    newcomer.overtake(dead.observed());
  }

  @Test
  @Rule("HF-OVT-06")
  default void anOvertakeIsBoundToTheNumberObserved() {
    Held dead = fixture().deadHolder(LOCK);
    SpiClient newcomer = fixture().client();
    Observed other = new Observed(LOCK, dead.number() - 1, dead.request().id());

    assertThat(newcomer.overtake(newcomer.request(LOCK), other))
        .isInstanceOf(Attempt.Refused.class);

    assertThat(newcomer.holder(LOCK).request()).isEqualTo(dead.request().id());
  }

  @Test
  @Rule("HF-OVT-07")
  default void anOvertakeOfALockThatBecameFreeTakesNothing() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    holder.release(held);
    SpiClient newcomer = fixture().client();

    Attempt attempt = newcomer.overtake(newcomer.request(LOCK), held.observed());

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    assertThat(((Attempt.Refused) attempt).record().holder()).isEmpty();
    newcomer.requireFree(LOCK);
  }

  @Test
  @Rule("HF-OVT-08")
  default void theNextWaiterHasTheLockWhoeverOvertakes() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient dead = fixture().client();
    Held held = dead.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    dead.closeSession();
    SpiClient newcomer = fixture().client();
    Request passes = newcomer.waitingRequest(LOCK);

    Attempt attempt = newcomer.overtake(passes, held.observed());

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    assertThat(newcomer.standing(passes)).isEqualTo(new Standing.Absent());
  }

  @Test
  @Rule("HF-OVT-09")
  default void aWaiterThatOvertakesIsToldHowItStands() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient dead = fixture().client();
    Held held = dead.hold(LOCK);
    SpiClient first = fixture().client();
    SpiClient second = fixture().client();
    Request next = first.queue(LOCK);
    Request last = second.queue(LOCK);
    dead.closeSession();

    assertThat(second.overtake(last, held.observed())).isEqualTo(new Attempt.Queued());
    assertThat(first.overtake(next, held.observed())).isInstanceOf(Attempt.Granted.class);

    second.requireWaiting(last, 1);
  }

  @Test
  @Rule("HF-OVT-10")
  default void repeatingAnOvertakeIsTheSameGrant() {
    Held dead = fixture().deadHolder(LOCK);
    SpiClient newcomer = fixture().client();
    Held held = newcomer.overtake(dead.observed());

    Attempt again = newcomer.overtake(held.request(), dead.observed());

    assertThat(again).isInstanceOf(Attempt.Granted.class);
    assertThat(((Attempt.Granted) again).number()).isEqualTo(held.number());
    assertThat(newcomer.release(held)).isEqualTo(Released.FREED);
  }

  @Test
  @Rule("HF-OVT-11")
  default void ofManyWhoOvertakeAtOnceExactlyOneIsGranted() {
    List<SpiClient> clients = Stream.generate(() -> fixture().client()).limit(6).toList();

    for (int round = 0; round < 10; round++) {
      Observed observed = fixture().deadHolder(new LockName("over/" + round)).observed();
      List<Attempt> attempts =
          ConcurrentCalls.call(
              clients.stream().map(client -> overtaking(client, observed)).toList());

      assertThat(attempts).filteredOn(Attempt.Granted.class::isInstance).hasSize(1);
      clients.forEach(SpiClient::keepAlive);
    }
  }

  private static Callable<Attempt> overtaking(SpiClient client, Observed observed) {
    return () -> client.overtake(client.request(observed.name()), observed);
  }

  @Test
  @Rule("HF-OVT-12")
  default void aSessionThatIsOverOvertakesNobody() {
    Held dead = fixture().deadHolder(LOCK);
    SpiClient client = fixture().client();
    client.closeSession();

    assertThat(client.overtake(client.request(LOCK), dead.observed()))
        .isEqualTo(new Attempt.SessionOver());
  }
}
