package io.holdfast.tck.rules.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencingToken;
import io.holdfast.LockName;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.ConcurrentCalls;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.rules.session.SweepRules;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.WipeControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Numbers of grants: for one lock they strictly rise in the order in which it is held. */
@Topic(value = "TOK", level = Level.CORE, clause = "docs/guarantees.md, Rising tokens")
public interface TokenRules extends SpiRules {

  int MANY = 500;
  Duration WAIT_MAX = Duration.ofSeconds(60);

  @Test
  @Rule("HF-TOK-01")
  default void numbersRiseOverManyGrants() {
    SpiClient client = fixture().client();
    long last = 0;

    for (int i = 0; i < MANY; i++) {
      Held held = client.hold(LOCK);
      assertThat(held.number()).isGreaterThan(last);
      last = held.number();
      client.release(held);
      client.keepAlive();
    }
    assertThat(FencingToken.of(last, FencingToken.LOCAL_PARTS - 1).number()).isEqualTo(last);
  }

  @Test
  @Rule("HF-TOK-02")
  default void numbersRiseOverHandOvers() {
    SpiClient holder = fixture().client();
    SpiClient waiter = fixture().client();
    Held held = holder.hold(LOCK);

    for (int i = 0; i < 100; i++) {
      SpiClient from = i % 2 == 0 ? holder : waiter;
      SpiClient to = i % 2 == 0 ? waiter : holder;
      Request waits = to.queue(LOCK);
      from.release(held);
      Held next = to.holding(waits);
      assertThat(next.number()).isGreaterThan(held.number());
      held = next;
      holder.keepAlive();
      waiter.keepAlive();
    }
  }

  @Test
  @Rule("HF-TOK-03")
  default void numbersRiseOverOvertakesAndRevocations() {
    SpiClient client = fixture().client();
    long last = 0;

    for (int i = 0; i < 10; i++) {
      Held held = fixture().deadHolder(LOCK);
      assertThat(held.number()).isGreaterThan(last);
      Held overtaken = client.overtake(held.observed());
      assertThat(overtaken.number()).isGreaterThan(held.number());
      client.revoke(overtaken.observed(), RevokeWhen.NOW);
      last = overtaken.number();
    }
  }

  @Test
  @Rule("HF-TOK-04")
  default void aNumberDoesNotChangeWhileTheLockIsHeld() {
    SpiClient client = fixture().client();
    Held held = client.hold(LOCK);
    SpiClient other = fixture().client();

    client.renewed();
    other.release(other.queue(LOCK));
    other.refused(LOCK);
    other.queue(LOCK);
    client.revoke(held.observed(), RevokeWhen.SAFELY);

    assertThat(client.holding(held.request())).isEqualTo(held);
    assertThat(client.hold(held.request())).isEqualTo(held);
    assertThat(other.inspect(LOCK).orElseThrow().number()).isEqualTo(held.number());
  }

  /** Each holder writes down its number while it holds: the list is the order of holding. */
  @Test
  @Rule("HF-TOK-05")
  default void numbersRiseInTheOrderInWhichManyClientsHold() {
    List<Long> written = Collections.synchronizedList(new ArrayList<>());
    List<SpiClient> clients = Stream.generate(() -> fixture().client()).limit(4).toList();

    ConcurrentCalls.call(clients.stream().map(client -> writing(client, written)).toList());

    assertThat(written).hasSize(80).isSorted().doesNotHaveDuplicates();
  }

  private static Callable<Boolean> writing(SpiClient client, List<Long> written) {
    return () -> {
      for (int i = 0; i < 20; i++) {
        Request request = client.waitingRequest(LOCK);
        client.grab(request);
        written.add(awaitGrant(client, request));
        client.release(request);
        client.keepAlive();
      }
      return true;
    };
  }

  private static long awaitGrant(SpiClient client, Request request) {
    Awaitility.await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(WAIT_MAX)
        .until(
            () -> {
              client.keepAlive();
              return client.standing(request) instanceof Standing.Holding;
            });
    return client.holding(request).number();
  }

  @Test
  @Rule(value = "HF-TOK-06", marked = 12, level = Level.TIME)
  @Disturbs(RealClockControl.class)
  default void aClockSetBackLowersNoNumber() {
    RealClockControl clock = fixture().control(RealClockControl.class);
    SpiClient client = fixture().client();
    Held before = client.hold(LOCK);
    client.release(before);

    clock.stepClock(Duration.ofHours(-1));

    Held after = client.hold(LOCK);
    assertThat(after.number()).isGreaterThan(before.number());
    Request waits = client.queue(LOCK);
    client.release(after);
    assertThat(client.holding(waits).number()).isGreaterThan(after.number());
  }

  @Test
  @Rule(value = "HF-TOK-07", level = Level.TIME)
  @Disturbs(RealClockControl.class)
  @Proves(Claim.TOKENS_SURVIVE_DELETION)
  default void numbersRiseOverTheDeletionOfARecord() {
    fixture().requireTokensSurvive(Event.DELETION);
    SpiClient client = fixture().client();
    Held before = client.hold(LOCK);
    client.release(before);

    // Some stores keep no record of a lock that is free.
    if (client.inspect(LOCK).isPresent()) {
      fixture().control(RealClockControl.class).stepClock(Duration.ofHours(25));
      SweepRules.sweepAll(client);
    }
    assertThat(client.inspect(LOCK)).as("the record of %s, free for a day", LOCK).isEmpty();

    assertThat(fixture().client().hold(LOCK).number()).isGreaterThan(before.number());
  }

  /**
   * Not by the clock alone: the floor remembers what the deleted record knew. Where numbers come of
   * no clock, there is none to be set.
   */
  @Test
  @Rule(value = "HF-TOK-08", marked = 12, level = Level.TIME)
  @Disturbs(RealClockControl.class)
  @Proves(value = Claim.TOKENS_SURVIVE_DELETION, isNeeded = false)
  default void numbersRiseOverADeletionAndAClockSetBack() {
    fixture().requireTokensSurvive(Event.DELETION);
    RealClockControl clock = fixture().control(RealClockControl.class);
    clock.stepClock(Duration.ofHours(1));
    SpiClient client = fixture().client();
    Held before = client.hold(LOCK);
    client.release(before);

    clock.stepClock(Duration.ofHours(25));
    SweepRules.sweepAll(client);
    clock.stepClock(Duration.ofDays(-2));

    assertThat(fixture().client().hold(LOCK).number()).isGreaterThan(before.number());
  }

  @Test
  @Rule(value = "HF-TOK-09", level = Level.TIME)
  @Disturbs(RealClockControl.class)
  @Proves(value = Claim.TOKENS_SURVIVE_DELETION, isNeeded = false)
  default void numbersRiseWhileRecordsAreDeleted() {
    fixture().requireTokensSurvive(Event.DELETION);
    RealClockControl clock = fixture().control(RealClockControl.class);
    List<LockName> names = Stream.of("one", "two", "three", "four").map(LockName::new).toList();
    List<Long> last = new ArrayList<>(Collections.nCopies(names.size(), 0L));

    for (int round = 0; round < 20; round++) {
      // Sessions of the rounds before have lapsed by a day, and are swept too.
      SpiClient client = fixture().client();
      SpiClient sweeper = fixture().client();
      List<Held> grants = new ArrayList<>();
      ConcurrentCalls.run(
          () -> SweepRules.sweepAll(sweeper),
          () -> names.forEach(name -> grants.add(client.hold(name))));
      for (int i = 0; i < names.size(); i++) {
        assertThat(client.holding(grants.get(i).request())).isEqualTo(grants.get(i));
        assertThat(grants.get(i).number()).isGreaterThan(last.get(i));
        last.set(i, grants.get(i).number());
        client.release(grants.get(i));
      }
      clock.stepClock(Duration.ofHours(25));
    }
  }

  @Test
  @Rule(value = "HF-TOK-10", level = Level.LOSS)
  @Disturbs(RestartControl.class)
  @Proves(Claim.TOKENS_SURVIVE_RESTART)
  default void numbersRiseOverARestart() {
    fixture().requireTokensSurvive(Event.RESTART);
    RestartControl restart = fixture().control(RestartControl.class);
    SpiClient client = fixture().client();
    Held before = client.hold(LOCK);
    client.release(before);

    restart.restartLosingNothing();

    SpiClient after = client.on(fixture().connect());
    after.renewed();
    assertThat(after.hold(LOCK).number()).isGreaterThan(before.number());
  }

  /** As where an operator drops the tables: the new ones never knew of the last number. */
  @Test
  @Rule(value = "HF-TOK-11", marked = 12, level = Level.LOSS)
  @Proves(Claim.TOKENS_SURVIVE_TOTAL_LOSS)
  default void numbersRiseOverTheDeletionOfEverything() {
    fixture().requireTokensSurvive(Event.TOTAL_LOSS);
    WipeControl store = fixture().control(WipeControl.class);
    SpiClient client = fixture().client();
    for (int i = 0; i < 20; i++) {
      client.release(client.hold(LOCK));
    }
    Held before = client.hold(LOCK);

    store.wipe();

    assertThat(fixture().client().hold(LOCK).number())
        .as("the number of %s after the loss of all data", LOCK)
        .isGreaterThan(before.number());
    assertThat(client.renew()).as("a session that was lost").isEqualTo(new Renewed.Over());
  }
}
