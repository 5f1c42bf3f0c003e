package io.holdfast.tck.client.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.ClientBuilder;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.HoldfastException;
import io.holdfast.error.LossReason;
import io.holdfast.record.LockRecord;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.network.AtMessage;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.NetworkControl;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A network that cuts, delays, swallows and repeats costs time, and a lease at most. */
@Topic(
    value = "NET",
    level = Level.NETWORK,
    clause = "docs/guarantees.md, At most one holder, and Nobody is stranded")
public interface NetworkRules extends ClientFixture {

  /** Long enough for two tries of a heartbeat that fail, each after a quarter of it, and more. */
  public Duration STEADY_TTL = Duration.ofSeconds(12);

  /** Longer than a caller that waits for less waits for an answer. */
  public Duration SLOW = Duration.ofMillis(1500);

  /** Enough to cut every request of a client, and some of those that it repeats. */
  public int MESSAGES_MAX = 12;

  /** Returns a network between clients and the store. */
  private NetworkProxy network() {
    NetworkControl control = fixture().control(NetworkControl.class);
    return fixture().closedWithThis(NetworkProxy.to(control.serverPort(), control::framing));
  }

  /** Returns a client behind the network whose heartbeats go on while it must not lose anything. */
  private TestClient steadyBehind(NetworkProxy network) {
    return behind(network, Holdfast.builder().defaultTtl(STEADY_TTL).heartbeat(OFTEN));
  }

  /** Returns a client behind the network. */
  private TestClient behind(NetworkProxy network, Duration ttl) {
    return behind(network, Holdfast.builder().defaultTtl(ttl));
  }

  private TestClient behind(NetworkProxy network, ClientBuilder settings) {
    NetworkControl control = fixture().control(NetworkControl.class);
    TestClient client =
        fixture()
            .closedWithThis(
                new TestClient(
                    control.connect(network.port(), StoreFixture.options()),
                    settings,
                    fixture().store()::asSeenByEngine));
    assertThat(network.connections()).as("connections through the network").isPositive();
    // Before it is closed: a silent connection would hold it up.
    fixture()
        .closedWithThis(
            () -> {
              network.heal();
              network.cut();
            });
    return client;
  }

  /** The acts of a client on a lock of its own while it is cut off at one message. */
  public interface Scene {
    /** Plays it. */
    void play(TestClient behind, String name, Runnable begin) throws Exception;
  }

  /** Plays a scene once for each message, until there are fewer. */
  private void cutOffAtAnyMoment(Scene scene) throws Exception {
    fixture().messages();
    NetworkProxy network = network();
    boolean reached = true;
    for (int message = 1; reached && message <= MESSAGES_MAX; message++) {
      TestClient behind = behind(network, LONG_TTL);
      behind.hold("another"); // Keeps the session in use: what it forgets is held for long.
      AtMessage plan = new AtMessage(message, Delivery.CUT);
      String name = "moment/" + message;
      scene.play(behind, name, () -> network.decide(plan));
      reached = plan.wasReached();
      assertThat(reached || message > 2).as("messages").isTrue();
      awaitFree(name);
      network.heal();
      behind.close();
    }
  }

  private void awaitFree(String name) {
    TestClient taker = client();
    await().atMost(longWait()).until(() -> taker.attempt(name).isPresent());
    taker.close();
  }

  @Test
  @Rule("HF-NET-01")
  default void whoIsCutOffAtAnyMomentOfAnAcquireHoldsOnceAndGivesBack() throws Exception {
    TestClient direct = networked();
    cutOffAtAnyMoment(
        (behind, name, begin) -> {
          begin.run();
          Grant grant = behind.acquire(name, longWait());
          LockRecord record = direct.client().find(name).orElseThrow();
          assertThat(record.token()).contains(grant.token());
          assertThat(record.waiters()).isEmpty();
          assertThat(grant.release()).isIn(ReleaseOutcome.FREED, ReleaseOutcome.PENDING);
        });
  }

  @Test
  @Rule("HF-NET-02")
  default void whoIsCutOffAtAnyMomentOfAnAttemptHoldsNothingByMistake() throws Exception {
    cutOffAtAnyMoment(
        (behind, name, begin) -> {
          begin.run();
          try {
            behind.attempt(name).ifPresent(Grant::release);
          } catch (HoldfastException e) {
            assertThat(e).isInstanceOf(BackendUnreachableException.class);
          }
        });
  }

  @Test
  @Rule("HF-NET-03")
  default void whoIsCutOffAtAnyMomentOfAReleaseHandsOn() throws Exception {
    TestClient direct = networked();
    cutOffAtAnyMoment(
        (behind, name, begin) -> {
          Grant held = behind.hold(name);
          Waiting waiting = direct.waitFor(name, longWait());
          awaitWaiter(direct, name);
          begin.run();
          assertThat(held.release()).isIn(ReleaseOutcome.HANDED_ON, ReleaseOutcome.PENDING);
          assertThat(waiting.grant().token()).isGreaterThan(held.token());
          waiting.grant().release();
        });
  }

  @Test
  @Rule("HF-NET-04")
  default void whoIsCutOffAtAnyMomentOfAWaitIsStillServed() throws Exception {
    TestClient direct = networked();
    cutOffAtAnyMoment(
        (behind, name, begin) -> {
          Grant held = direct.hold(name);
          begin.run();
          Waiting waiting = behind.waitFor(name, longWait());
          awaitWaiter(direct, name);
          held.release();
          assertThat(waiting.grant().token()).isGreaterThan(held.token());
          waiting.grant().release();
        });
  }

  @Test
  @Rule("HF-NET-05")
  default void whoIsCutOffAtAnyMomentOfAnOvertakeStrandsNobody() throws Exception {
    networked();
    cutOffAtAnyMoment(
        (behind, name, begin) -> {
          fixture().deadHolder(new LockName(name));
          begin.run();
          behind.acquire(name, longWait()).release();
        });
  }

  @Test
  @Rule("HF-NET-06")
  default void aConnectionThatIsCutStopsNoHeartbeat() {
    heartbeatsGoOnAfter(NetworkProxy::cut);
  }

  @Test
  @Rule("HF-NET-07")
  default void aConnectionWhoseRequestsAreSwallowedStopsNoHeartbeat() {
    heartbeatsGoOnAfter(network -> network.swallow(Direction.TO_SERVER));
  }

  @Test
  @Rule("HF-NET-08")
  default void aConnectionWhoseAnswersAreSwallowedStopsNoHeartbeat() {
    heartbeatsGoOnAfter(network -> network.swallow(Direction.TO_CLIENT));
  }

  @Test
  @Rule("HF-NET-09")
  default void aConnectionThatIsClosedForTheServerAloneStopsNoHeartbeat() {
    heartbeatsGoOnAfter(network -> network.halfClose(Direction.TO_SERVER));
  }

  @Test
  @Rule("HF-NET-10")
  default void aConnectionThatIsClosedForTheClientAloneStopsNoHeartbeat() {
    heartbeatsGoOnAfter(network -> network.halfClose(Direction.TO_CLIENT));
  }

  /** A blow to all connections of a client; new ones are sound. */
  public interface Blow {
    /** Lets it happen. */
    void strike(NetworkProxy network);
  }

  private void heartbeatsGoOnAfter(Blow blow) {
    // given
    NetworkProxy network = network();
    TestClient one = steadyBehind(network);
    Grant grant = one.hold(NAME);
    awaitRenewals(one, 1);

    // when
    blow.strike(network);

    // then
    awaitRenewals(one, 2);
    grant.check();
    assertThat(client().client().find(NAME).orElseThrow().token()).contains(grant.token());
    assertThat(grant.release()).isIn(ReleaseOutcome.FREED, ReleaseOutcome.PENDING);
    awaitFree(NAME);
  }

  @Test
  @Rule("HF-NET-11")
  default void connectionsThatFallSilentDelayAnAcquireAtMost() {
    // given
    NetworkProxy network = network();
    TestClient one = behind(network, LONG_TTL);
    // Several at a time, so that several connections are there.
    List<Waiting> all =
        Stream.of("a", "b", "c", "d").map(name -> one.waitFor(name, longWait())).toList();
    all.forEach(each -> each.grant().release());

    // when
    network.swallow(Direction.TO_CLIENT);

    // then
    assertThat(one.acquire(NAME, longWait()).isHeld()).as("isHeld() of the grant").isTrue();
    assertThat(client().attempt(NAME)).isEmpty();
  }

  @Test
  @Rule("HF-NET-12")
  default void aHolderThatIsIsolatedGivesUpBeforeAnybodyElseIsGranted() {
    // given
    NetworkProxy network = network();
    TestClient isolated = behind(network, SHORT_TTL);
    Grant grant = isolated.hold(NAME);
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    grant.onLost(losses::add);
    TestClient two = client();

    // when
    network.isolate();
    Grant next = two.acquire(NAME, longWait());
    boolean believedBeside = grant.isHeld();

    // then
    assertThat(believedBeside).as("whether a holder believed beside another").isFalse();
    assertThat(next.token()).isGreaterThan(grant.token());
    await().atMost(longWait()).until(() -> !losses.isEmpty());
    network.heal();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.LOST);
    assertThat(next.isHeld()).as("isHeld() of the grant of %s", next.name()).isTrue();
    assertThat(client().attempt(NAME)).isEmpty();
    await().atMost(longWait()).until(() -> isHeldWhenAcquired(isolated, "another"));
  }

  @Test
  @Rule("HF-NET-13")
  default void aHolderThatIsIsolatedForLessThanItsLeaseKeepsTheLock() {
    NetworkProxy network = network();
    TestClient isolated = steadyBehind(network);
    Grant grant = isolated.hold(NAME);
    Waiting waiting = client().waitFor(NAME, longWait());
    awaitWaiter(client(), NAME);

    network.isolate();
    network.heal();
    awaitRenewals(isolated, 1);

    grant.check();
    assertThat(waiting.result()).isNotDone();
    assertThat(grant.release()).isIn(ReleaseOutcome.HANDED_ON, ReleaseOutcome.PENDING);
    assertThat(waiting.grant().token()).isGreaterThan(grant.token());
  }

  @Test
  @Rule("HF-NET-14")
  default void aSlowNetworkCostsNothingButTime() {
    // given
    NetworkProxy network = network();
    TestClient one = steadyBehind(network);
    TestClient two = steadyBehind(network);

    // when
    network.delay(Duration.ofMillis(40));

    // then
    Grant first = one.acquire(NAME, longWait());
    Waiting waiting = two.waitFor(NAME, longWait());
    awaitWaiter(client(), NAME);
    awaitRenewals(one, 2);
    first.check();
    assertThat(waiting.result()).isNotDone();
    assertThat(first.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
    Grant second = waiting.grant();
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(second.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** Its client has turned away, closed the connection, and looked after its request. */
  @Test
  @Rule("HF-NET-15")
  default void aGrabThatWasOnItsWayForTooLongIsTakenBack() {
    NetworkProxy network = network();
    TestClient one = steadyBehind(network);
    one.hold("another"); // Keeps the session in use.
    network.delay(SLOW);

    Waiting given = one.waitFor(NAME, Duration.ofMillis(300));
    await().atMost(longWait()).until(() -> one.count(Verb.GRAB) > 1);

    assertThat(given.result())
        .failsWithin(longWait())
        .withThrowableThat()
        .withCauseInstanceOf(HoldfastException.class);
    network.delay(Duration.ZERO);
    awaitRenewals(one, 3); // Messages on their way have arrived by then.
    awaitFree(NAME);
  }

  @Test
  @Rule("HF-NET-16")
  default void aWaiterThatIsCutOffForAWhileIsServedWhenTheNetworkIsBack() {
    // given
    Grant held = networked().hold(NAME);
    NetworkProxy network = network();
    Waiting waiting = behind(network, LONG_TTL).waitFor(NAME, longWait());
    TestClient looker = client();
    awaitWaiter(looker, NAME);

    // when
    network.refuse();
    network.cut();
    assertThat(held.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
    assertThat(looker.attempt(NAME)).isEmpty();
    network.heal();

    // then
    assertThat(waiting.grant().token()).isGreaterThan(held.token());
  }

  /** Neither the hint arrives, nor what it asks over the connections of before. */
  @Test
  @Rule("HF-NET-17")
  default void aWaiterWhoseConnectionsFellSilentIsServedAllTheSame() {
    Grant held = networked().hold(NAME);
    NetworkProxy network = network();
    Waiting waiting = steadyBehind(network).waitFor(NAME, longWait());
    awaitWaiter(client(), NAME);

    network.swallow(Direction.TO_CLIENT);
    held.release();

    assertThat(waiting.grant().token()).isGreaterThan(held.token());
  }

  @Test
  @Rule("HF-NET-18")
  default void aWaiterThatIsCutOffForLongerThanItsLeaseIsServedAfterTheOthers() {
    // given
    Grant held = networked().hold(NAME);
    NetworkProxy network = network();
    Waiting waiting = behind(network, SHORT_TTL).waitFor(NAME, longWait());
    TestClient two = client();
    awaitWaiter(two, NAME);

    // when
    network.isolate();
    held.release();
    Grant next = two.acquire(NAME, longWait());
    network.heal();

    // then
    next.check();
    next.release();
    assertThat(waiting.grant().token()).isGreaterThan(next.token());
  }

  @Test
  @Rule("HF-NET-19")
  default void requestsThatAllArriveTwiceChangeNothing() {
    // given
    NotApplicableException.unless(
        fixture().messages().framing().messagesStandAlone(),
        "No message of this store's protocol can come twice.");
    NetworkProxy network = network();
    TestClient one = steadyBehind(network);
    TestClient two = steadyBehind(network);
    network.decide(message -> Delivery.DOUBLE);

    for (int round = 0; round < 8; round++) {
      // when
      Grant first = one.hold(NAME);
      Waiting waiting = two.waitFor(NAME, longWait());
      awaitWaiter(one, NAME);

      // then
      assertThat(one.client().find(NAME).orElseThrow().token()).contains(first.token());
      first.check();
      assertThat(first.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
      Grant second = waiting.grant();
      assertThat(second.token()).isGreaterThan(first.token());
      assertThat(second.release()).isEqualTo(ReleaseOutcome.FREED);
    }
    awaitFree(NAME);
  }

  /** False if its lease may have run out meanwhile, a short one: the machine stood still. */
  private boolean isHeldWhenAcquired(TestClient client, String name) {
    long begun = System.nanoTime();
    Grant grant = client.acquire(name, longWait());
    boolean held = grant.isHeld();
    boolean mayHaveRunOut = System.nanoTime() - begun > SHORT_TTL.toNanos();
    assertThat(held || mayHaveRunOut).as("isHeld() of the grant of %s", name).isTrue();
    grant.release();
    return held;
  }

  /** Returns a client that the faults do not concern, where there is a network. */
  private TestClient networked() {
    fixture().control(NetworkControl.class);
    return client();
  }

  /** Returns when so many renewals more were answered. */
  private void awaitRenewals(TestClient client, int more) {
    long before = client.answers(Verb.RENEW);
    await().atMost(longWait()).until(() -> client.answers(Verb.RENEW) >= before + more);
  }

  private void awaitWaiter(TestClient looker, String name) {
    await()
        .atMost(longWait())
        .until(() -> looker.client().find(name).orElseThrow().waiters().size() == 1);
  }
}
