package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Standing;
import io.holdfast.tck.report.Level;
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
    Held dead = bench().deadHolder(LOCK);
    SpiClient newcomer = bench().client();

    assertThat(newcomer.refused(LOCK).liveness()).isEqualTo(Liveness.ENDED);
    Held held = newcomer.overtake(dead.observed());

    assertThat(held.number()).isGreaterThan(dead.number());
    assertThat(newcomer.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-OVT-02")
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
  @Rule(value = "HF-OVT-03", marked = 2)
  default void aHolderThatOnlyLapsedIsNotOvertaken() {
    bench().requireExpiry(Expiry.BY_OTHERS);
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
  @Rule("HF-OVT-04")
  default void aHolderThatLapsedIsOvertakenOnceItWasEnded() {
    bench().requireExpiry(Expiry.BY_OTHERS);
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
  @Rule("HF-OVT-05")
  default void anOvertakeOfAGrantThatIsNotInForceAnyMoreChangesNothing() {
    SpiClient first = bench().client();
    Held observed = first.hold(LOCK);
    first.release(observed);
    Held dead = bench().deadHolder(LOCK);
    SpiClient newcomer = bench().client();

    assertThat(newcomer.overtake(newcomer.request(LOCK), observed.observed()))
        .isInstanceOf(Attempt.Refused.class);

    assertThat(newcomer.holder(LOCK).request()).isEqualTo(dead.request().id());
    newcomer.overtake(dead.observed());
  }

  @Test
  @Rule("HF-OVT-06")
  default void anOvertakeIsBoundToTheNumberObserved() {
    Held dead = bench().deadHolder(LOCK);
    SpiClient newcomer = bench().client();
    Observed other = new Observed(LOCK, dead.number() - 1, dead.request().id());

    assertThat(newcomer.overtake(newcomer.request(LOCK), other))
        .isInstanceOf(Attempt.Refused.class);

    assertThat(newcomer.holder(LOCK).request()).isEqualTo(dead.request().id());
  }

  @Test
  @Rule("HF-OVT-07")
  default void anOvertakeOfALockThatBecameFreeTakesNothing() {
    SpiClient holder = bench().client();
    Held held = holder.hold(LOCK);
    holder.release(held);
    SpiClient newcomer = bench().client();

    Attempt attempt = newcomer.overtake(newcomer.request(LOCK), held.observed());

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    assertThat(((Attempt.Refused) attempt).record().holder()).isEmpty();
    newcomer.requireFree(LOCK);
  }

  @Test
  @Rule("HF-OVT-08")
  default void theNextWaiterHasTheLockWhoeverOvertakes() {
    bench().requireExpiry(Expiry.BY_OTHERS);
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
  @Rule("HF-OVT-09")
  default void aWaiterThatOvertakesIsToldHowItStands() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    SpiClient dead = bench().client();
    Held held = dead.hold(LOCK);
    SpiClient first = bench().client();
    SpiClient second = bench().client();
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
    Held dead = bench().deadHolder(LOCK);
    SpiClient newcomer = bench().client();
    Held held = newcomer.overtake(dead.observed());

    Attempt again = newcomer.overtake(held.request(), dead.observed());

    assertThat(again).isInstanceOf(Attempt.Granted.class);
    assertThat(((Attempt.Granted) again).number()).isEqualTo(held.number());
    assertThat(newcomer.release(held)).isEqualTo(Released.FREED);
  }

  @Test
  @Rule("HF-OVT-11")
  default void ofManyWhoOvertakeAtOnceExactlyOneIsGranted() {
    List<SpiClient> clients = Stream.generate(() -> bench().client()).limit(6).toList();

    for (int round = 0; round < 10; round++) {
      Observed observed = bench().deadHolder(new LockName("over/" + round)).observed();
      List<Attempt> attempts =
          Together.call(clients.stream().map(client -> overtaking(client, observed)).toList());

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
    Held dead = bench().deadHolder(LOCK);
    SpiClient client = bench().client();
    client.closeSession();

    assertThat(client.overtake(client.request(LOCK), dead.observed()))
        .isEqualTo(new Attempt.SessionOver());
  }
}
