package io.holdfast.tck.rules.failure;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static io.holdfast.tck.fixture.StoreFixture.SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.record.Liveness;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.RestartControl;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The store starts again and has lost nothing. Everything goes on, except that what the clock of
 * the incarnation before has written says nothing about the time now.
 */
@Topic(
    value = "RST",
    level = Level.LOSS,
    clause = "LockBackend.end: renewals of another incarnation")
public interface RestartRules extends SpiRules {

  @Test
  @Rule("HF-RST-01")
  @Disturbs({RestartControl.class, ClockControl.class})
  @Proves(Claim.GRANTS_SURVIVE_RESTART)
  default void whatWasHeldIsHeldAfterARestart() {
    RestartControl restart = fixture().control(RestartControl.class);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    restart.restartLosingNothing();

    LockBackend backend = fixture().connect();
    holder.on(backend).renewed();
    waiter.on(backend).renewed();
    assertThat(holder.on(backend).holding(held.request())).isEqualTo(held);
    assertThat(fixture().client().refused(LOCK).request()).isEqualTo(held.request().id());
    holder.on(backend).release(held);
    waiter.on(backend).holding(waits);
  }

  @Test
  @Rule("HF-RST-02")
  @Disturbs({RestartControl.class, ClockControl.class})
  default void aFreeLockIsGrantedAtOnceAfterARestart() {
    RestartControl restart = fixture().control(RestartControl.class);
    fixture().client();

    restart.restartLosingNothing();

    fixture().client().hold(LOCK);
  }

  @Test
  @Rule("HF-RST-03")
  @Disturbs({RestartControl.class, ClockControl.class})
  @Proves(Claim.GRANTS_SURVIVE_RESTART)
  default void aSessionThatWasOverStaysOver() {
    RestartControl restart = fixture().control(RestartControl.class);
    SpiClient client = fixture().client();
    client.closeSession();

    restart.restartLosingNothing();

    assertThat(client.on(fixture().connect()).renew()).isEqualTo(new Renewed.Over());
  }

  /** However long ago its renewal seems to be: by whose clock? It is given one whole TTL. */
  @Test
  @Rule("HF-RST-04")
  @Disturbs({RestartControl.class, ClockControl.class})
  default void aSessionOfAnotherIncarnationIsGivenAWholeTtl() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    RestartControl restart = fixture().control(RestartControl.class);

    StoreFixture.holdsWithin(
        SHORT,
        "a session of another incarnation is given a whole TTL when somebody would end it",
        () -> {
          SpiClient client = fixture().client(SHORT);
          fixture().lapse();
          restart.restartLosingNothing();
          return client.on(fixture().connect());
        },
        client -> {
          Ended restamped = client.end(EndIf.LAPSED);
          Ended judged = client.end(EndIf.LAPSED);
          return restamped == Ended.ALIVE && judged == Ended.ALIVE;
        });
  }

  @Test
  @Rule("HF-RST-05")
  @Disturbs({RestartControl.class, ClockControl.class})
  default void aHolderOfAnotherIncarnationIsDoubtfulAndComesBack() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    RestartControl restart = fixture().control(RestartControl.class);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);

    restart.restartLosingNothing();

    assertThat(fixture().client().refused(LOCK).liveness()).isEqualTo(Liveness.LAPSED);
    SpiClient after = holder.on(fixture().connect());
    SpiClient other = fixture().client();
    // One of the two may not yet know which incarnation it is connected to: then the next counts.
    await("a renewal to make the holder live again")
        .atMost(fixture().store().maxWait())
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              after.renewed();
              return other.refused(LOCK).liveness() == Liveness.LIVE;
            });
    assertThat(after.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-RST-06")
  @Disturbs({RestartControl.class, ClockControl.class})
  default void aSessionOfAnotherIncarnationIsEndedAfterThatTtl() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    RestartControl restart = fixture().control(RestartControl.class);
    SpiClient dead = fixture().client(SHORT);
    Held held = dead.hold(LOCK);

    restart.restartLosingNothing();

    SpiClient other = fixture().client();
    assertThat(dead.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    assertThat(other.overtake(other.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);
    fixture().lapse();

    assertThat(dead.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
    other.overtake(held.observed());
  }

  /** However long ago the mark seems to be: by whose clock? The holder may not have been told. */
  @Test
  @Rule("HF-RST-07")
  @Disturbs({RestartControl.class, ClockControl.class})
  default void aRevocationOfAnotherIncarnationIsNotDueBecauseTheClockIsAnother() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = fixture().control(ClockControl.class);
    RestartControl restart = fixture().control(RestartControl.class);
    NotApplicableException.unless(
        restart.holdersLiveOn(), "What starts this store again ends all holders, too.");
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    fixture().client().revoke(held.observed(), RevokeWhen.SAFELY);

    clock.stepClock(Duration.ofHours(1));
    restart.restartLosingNothing();

    SpiClient other = fixture().client();
    assertThat(other.refused(LOCK).liveness()).isNotEqualTo(Liveness.REVOCATION_DUE);
    assertThat(holder.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.LIVE);
    assertThat(other.overtake(other.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);
    assertThat(holder.on(other.backend()).holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-RST-08")
  @Disturbs({RestartControl.class, ClockControl.class})
  default void whatStaysStaysAfterARestart() {
    NotApplicableException.unless(
        fixture().capabilities().stays().contains(Stays.AT_LEAST),
        "This store does not claim AT_LEAST.");
    RestartControl restart = fixture().control(RestartControl.class);
    NotApplicableException.unless(
        restart.holdersLiveOn(), "What starts this store again ends all holders, too.");
    SpiClient owner = fixture().client();
    Held held = owner.hold(LOCK);
    assertThat(owner.releaseAfter(held.request(), LONG)).isEqualTo(Released.STAYS);

    restart.restartLosingNothing();

    SpiClient other = fixture().client();
    assertThat(other.refused(LOCK).request()).isEqualTo(held.request().id());
    assertThat(other.overtake(other.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);
    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.STAYING);
  }
}
