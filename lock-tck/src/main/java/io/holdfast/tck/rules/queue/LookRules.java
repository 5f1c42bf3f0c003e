package io.holdfast.tck.rules.queue;

import static io.holdfast.tck.fixture.StoreFixture.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.record.Liveness;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The question asked at every heartbeat: how do my requests stand, and which obstacles are in their
 * way?
 */
@Topic(value = "LOK", level = Level.CORE, clause = "LockBackend.look")
public interface LookRules extends SpiRules {

  @Test
  @Rule("HF-LOK-01")
  default void aLookTellsHowEachRequestStandsInTheOrderAsked() {
    SpiClient client = fixture().client();
    Held held = client.hold(new LockName("mine"));
    fixture().client().hold(new LockName("theirs"));
    Request waits = client.queue(new LockName("theirs"));
    Request never = client.request(new LockName("never"));
    Request notHere = client.request(new LockName("mine"));

    List<Standing> standings = client.look(never, held.request(), notHere, waits);

    assertThat(standings).hasSize(4);
    assertThat(standings.get(0)).isEqualTo(new Standing.Absent());
    assertThat(standings.get(1)).isInstanceOf(Standing.Holding.class);
    assertThat(((Standing.Holding) standings.get(1)).number()).isEqualTo(held.number());
    assertThat(standings.get(2)).isEqualTo(new Standing.Absent());
    assertThat(standings.get(3)).isInstanceOf(Standing.Waiting.class);
    assertThat(((Standing.Waiting) standings.get(3)).ahead()).isEqualTo(1);
    assertThat(((Standing.Waiting) standings.get(3)).obstacles()).isEmpty();
  }

  @Test
  @Rule("HF-LOK-02")
  default void aLookAtNothingTellsNothing() {
    assertThat(fixture().client().look(List.of())).isEmpty();
  }

  @Test
  @Rule("HF-LOK-03")
  default void aLookAtManyRequestsTellsOfEach() {
    SpiClient client = fixture().client();
    List<RequestKey> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Request request = client.request(new LockName("many/" + i));
      keys.add(request.key());
      if (i % 100 == 0) {
        client.hold(request);
      }
    }

    List<Standing> standings = client.look(keys);

    assertThat(standings).hasSize(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      Class<?> expected = i % 100 == 0 ? Standing.Holding.class : Standing.Absent.class;
      assertThat(standings.get(i)).as("request %s", i).isInstanceOf(expected);
    }
  }

  @Test
  @Rule("HF-LOK-04")
  default void aLookSeesWhatAnotherClientHasJustDone() {
    SpiClient holder = fixture().client();
    SpiClient waiter = fixture().client();

    for (int round = 0; round < 20; round++) {
      Held held = holder.hold(new LockName("fresh/" + round));
      Request waits = waiter.queue(held.request().name());
      waiter.waiting(waits);
      holder.release(held);
      waiter.release(waiter.holding(waits));
      assertThat(waiter.standing(waits)).isEqualTo(new Standing.Absent());
      holder.keepAlive();
      waiter.keepAlive();
    }
  }

  @Test
  @Rule("HF-LOK-05")
  default void whoeverLivesIsNoObstacle() {
    fixture().client().hold(LOCK);
    fixture().client().queue(LOCK);
    SpiClient client = fixture().client();

    assertThat(client.waiting(client.queue(LOCK)).obstacles()).isEmpty();
  }

  @Test
  @Rule("HF-LOK-06")
  default void aHolderThatLapsedIsAnObstacleUntilItRenews() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient holder = fixture().client(SHORT);
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    fixture().lapse();

    assertThat(waiter.waiting(waits).obstacles())
        .containsExactly(new Obstacle(held.observed(), held.request().id(), Liveness.LAPSED));

    StoreFixture.holdsWithin(
        SHORT,
        "a holder that has renewed is no obstacle",
        () -> holder,
        renewing -> {
          renewing.renewed();
          return waiter.waiting(waits).obstacles().isEmpty();
        });
  }

  @Test
  @Rule("HF-LOK-07")
  default void obstaclesAreToldTheNearestToTheHeadFirst() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient dead = fixture().client();
    Request first = dead.queue(LOCK);
    fixture().client().queue(LOCK);
    Request second = dead.queue(LOCK);
    SpiClient last = fixture().client();
    Request waits = last.queue(LOCK);
    dead.closeSession();
    holder.closeSession();

    assertThat(last.waiting(waits).obstacles())
        .extracting(Obstacle::request)
        .startsWith(held.request().id())
        .isSubsetOf(held.request().id(), first.id(), second.id())
        .containsSubsequence(held.request().id(), first.id());
  }

  /** A request behind is no obstacle of one that waits before it. */
  @Test
  @Rule("HF-LOK-08")
  default void whoStandsBehindIsNoObstacle() {
    fixture().client().hold(LOCK);
    SpiClient client = fixture().client();
    Request waits = client.queue(LOCK);
    SpiClient dead = fixture().client();
    dead.queue(LOCK);
    dead.closeSession();

    client.requireWaiting(waits, 1);
  }

  @Test
  @Rule("HF-LOK-09")
  default void aLookChangesNothing() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    holder.closeSession();

    waiter.look(waits);
    waiter.look(waits);

    assertThat(waiter.holder(LOCK).request()).isEqualTo(held.request().id());
  }

  /** Else its client, which has not heard of the end yet, would believe that it holds. */
  @Test
  @Rule(value = "HF-LOK-10", marked = 10)
  default void aRequestOfASessionThatIsOverHoldsNothing() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient ended = fixture().client();
    Request waits = ended.queue(LOCK);
    fixture().connect().end(ended.session(), EndIf.CLOSED, StoreFixture.soon());

    assertThat(ended.standing(waits)).isEqualTo(new Standing.Absent());
    holder.release(held);
    assertThat(ended.standing(waits)).isEqualTo(new Standing.Absent());
    assertThat(ended.grab(waits)).isEqualTo(new Attempt.SessionOver());
    fixture().connect().end(holder.session(), EndIf.CLOSED, StoreFixture.soon());
    assertThat(holder.standing(held.request())).isEqualTo(new Standing.Absent());
  }
}
