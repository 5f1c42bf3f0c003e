package io.holdfast.tck.rules.session;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static io.holdfast.tck.fixture.StoreFixture.SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.HoldfastException;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.LateCopy;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.ConcurrentCalls;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The life of a session: opened once, renewed while it is not over, ended for good. */
@Topic(value = "SES", level = Level.CORE, clause = "LockBackend.open, renew and end")
public interface SessionRules extends SpiRules {

  @Test
  @Rule("HF-SES-01")
  default void aSessionIsGrantedItsTtl() {
    Opened opened = fixture().connect().open(StoreFixture.spec(LONG), StoreFixture.soon());

    assertThat(opened.ttl()).isPositive();
  }

  @Test
  @Rule("HF-SES-02")
  default void aSessionRenewsAgainAndAgainFromAnyConnection() {
    SpiClient client = fixture().client();
    SpiClient elsewhere = client.on(fixture().connect());

    for (int i = 0; i < 10; i++) {
      client.renewed();
      elsewhere.renewed();
    }
  }

  @Test
  @Rule(value = "HF-SES-03", marked = 2)
  default void aSessionThatEndedNeverRenewsAgain() {
    SpiClient client = fixture().client();
    client.closeSession();

    assertThat(client.renew()).isEqualTo(new Renewed.Over());
    assertThat(client.on(fixture().connect()).renew()).isEqualTo(new Renewed.Over());
    assertThat(client.end(EndIf.CLOSED)).isEqualTo(Ended.OVER);
  }

  @Test
  @Rule("HF-SES-04")
  default void aRenewalNeverCreatesASession() {
    fixture().client();
    SpiClient nobody = SpiClient.of(fixture().connect(), StoreFixture.spec().id());

    assertThat(nobody.renew()).isEqualTo(new Renewed.Over());
    assertThat(nobody.renew()).isEqualTo(new Renewed.Over());
    assertThat(nobody.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  /** A session is over when it has been ended, not when its time has passed. */
  @Test
  @Rule(value = "HF-SES-05", marked = 2)
  @Proves(Claim.ENDED_BY_OTHERS)
  default void aSessionThatLapsedButWasNotEndedComesBack() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient client = fixture().client(SHORT);
    fixture().lapse();

    client.renewed();
    client.hold(LOCK);
  }

  @Test
  @Rule("HF-SES-06")
  default void aSessionInItsLeaseIsNotEndedByOthers() {
    SpiClient client = fixture().client();
    SpiClient other = client.on(fixture().connect());

    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    client.renewed();
  }

  @Test
  @Rule("HF-SES-07")
  @Proves(Claim.ENDED_BY_OTHERS)
  default void aSessionThatLapsedIsEndedByAnybodyForGood() {
    SpiClient client = fixture().client(SHORT);
    SpiClient other = client.on(fixture().connect());

    fixture().letDie(client);

    assertThat(fixture().answered(client::renew)).isEqualTo(new Renewed.Over());
    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  @Test
  @Rule("HF-SES-08")
  default void aLateRenewalGivesAWholeTtl() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    LockBackend other = fixture().connect();

    StoreFixture.holdsWithin(
        SHORT,
        "a session that was just renewed is not ended by others",
        () -> {
          SpiClient client = fixture().client(SHORT);
          fixture().lapse();
          return client;
        },
        client -> {
          client.renewed();
          return client.on(other).end(EndIf.LAPSED) == Ended.ALIVE;
        });
  }

  @Test
  @Rule("HF-SES-09")
  default void aRenewalWhoseAnswerWasLostDoesNotMakeTheNextOneFail() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    faulty.next(Verb.RENEW, Fault.answerLost());
    faulty.next(Verb.RENEW, Fault.doubled());

    assertThatThrownBy(client::renew).isInstanceOf(BackendFailure.class);
    client.renewed();
    client.renewed();
  }

  /** The client opens another session instead, so nothing but that copy ever meant the first id. */
  @Test
  @Rule(value = "HF-SES-10", marked = 1)
  default void aLateCopyOfAnOpeningLapsesAndDisturbsNobody() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    LateCopy copy = faulty.next(Verb.OPEN, new LateCopy());
    SessionSpec unanswered = StoreFixture.spec(SHORT);
    assertThatThrownBy(() -> faulty.open(unanswered, StoreFixture.soon()))
        .isInstanceOf(BackendFailure.class);
    SpiClient client = SpiClient.open(faulty, LONG);
    Held held = client.hold(LOCK);

    copy.deliver();
    fixture().letDie(SpiClient.of(client.backend(), unanswered.id()));

    client.renewed();
    assertThat(client.holding(held.request()).number()).isEqualTo(held.number());
  }

  /** No engine opens an id twice, so the second copy may fail, but it must not do harm. */
  @Test
  @Rule(value = "HF-SES-11", marked = 1)
  default void aSecondCopyOfAnOpeningChangesNothing() {
    LockBackend backend = fixture().connect();
    SessionSpec spec = StoreFixture.spec();
    backend.open(spec, StoreFixture.soon());
    SpiClient client = SpiClient.of(backend, spec.id());
    Held held = client.hold(LOCK);
    fixture().client().revoke(held.observed(), RevokeWhen.SAFELY);

    try {
      fixture().connect().open(spec, StoreFixture.soon());
    } catch (BackendFailure | HoldfastException refused) {
      // As good as an answer.
    }

    assertThat(client.toldRevoked()).containsExactly(held.request().id());
    assertThat(client.holding(held.request()).number()).isEqualTo(held.number());
    client.closeSession();
    assertThat(client.renew()).isEqualTo(new Renewed.Over());
  }

  /** A session is its id. Two JVMs that call themselves by one name must not take turns in one. */
  @Test
  @Rule("HF-SES-12")
  default void twoSessionsOfOneProcessAreTwo() {
    SpiClient one = fixture().client();
    SpiClient two = fixture().client();
    one.hold(LOCK);

    assertThat(two.refused(LOCK).request().session()).isEqualTo(one.session());
    one.closeSession();
    two.renewed();
  }

  /** Either the renewal comes first and saves the session, or the end does and it is final. */
  @Test
  @Rule("HF-SES-13")
  default void aRenewalAndAnEndAtTheSameMomentAgree() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    LockBackend other = fixture().connect();
    List<SpiClient> lapsed = Stream.generate(() -> fixture().client(SHORT)).limit(20).toList();
    fixture().lapse();

    for (SpiClient client : lapsed) {
      long start = System.nanoTime();
      List<Object> answers =
          ConcurrentCalls.<Object>call(
              List.of(client::renew, () -> client.on(other).end(EndIf.LAPSED)));
      boolean saved = answers.get(0) instanceof Renewed.Alive;
      boolean inLease = System.nanoTime() - start < SHORT.toNanos();

      if (answers.get(1) == Ended.OVER) {
        assertThat(saved && inLease).as("renewed and ended at once").isFalse();
        assertThat(client.renew()).isEqualTo(new Renewed.Over());
      } else {
        assertThat(saved).as("neither renewed nor ended").isTrue();
      }
    }
  }

  /** A store may grant more than was asked for, but what it cuts off a holder believes in. */
  @Test
  @Rule("HF-SES-14")
  default void aFractionOfASecondOfATtlCounts() {
    Duration ttl = Duration.ofMillis(1_900);
    Duration limit = Duration.ofMillis(1_300);
    LockBackend other = fixture().connect();
    StoreFixture.holdsWithin(
        fixture().stepsTheClock() ? ttl.minus(limit) : ttl,
        "A session is not ended by others before its TTL has passed",
        () -> fixture().connect(),
        backend -> {
          SpiClient client = SpiClient.open(backend, ttl);
          fixture().elapse(limit);
          return client.on(other).end(EndIf.LAPSED) == Ended.ALIVE;
        });
  }
}
