package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.LONG;
import static io.holdfast.tck.rules.Bench.SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.SessionSpec;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.LateCopy;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Claim;
import io.holdfast.tck.report.Level;
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
    Opened opened = bench().connect().open(Bench.spec(LONG), Bench.soon());

    assertThat(opened.ttl()).isPositive();
  }

  @Test
  @Rule("HF-SES-02")
  default void aSessionRenewsAgainAndAgainFromAnyConnection() {
    SpiClient client = bench().client();
    SpiClient elsewhere = client.on(bench().connect());

    for (int i = 0; i < 10; i++) {
      client.renewed();
      elsewhere.renewed();
    }
  }

  @Test
  @Rule(value = "HF-SES-03", marked = 2)
  default void aSessionThatEndedNeverRenewsAgain() {
    SpiClient client = bench().client();
    client.closeSession();

    assertThat(client.renew()).isEqualTo(new Renewed.Over());
    assertThat(client.on(bench().connect()).renew()).isEqualTo(new Renewed.Over());
    assertThat(client.end(EndIf.CLOSED)).isEqualTo(Ended.OVER);
  }

  @Test
  @Rule("HF-SES-04")
  default void aRenewalNeverCreatesASession() {
    bench().client();
    SpiClient nobody = SpiClient.of(bench().connect(), Bench.spec().id());

    assertThat(nobody.renew()).isEqualTo(new Renewed.Over());
    assertThat(nobody.renew()).isEqualTo(new Renewed.Over());
    assertThat(nobody.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  /** A session is over when it has been ended, not when its time has passed. */
  @Test
  @Rule(value = "HF-SES-05", marked = 2)
  @Proves(Claim.ENDED_BY_OTHERS)
  default void aSessionThatLapsedButWasNotEndedComesBack() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    SpiClient client = bench().client(SHORT);
    bench().lapse();

    client.renewed();
    client.hold(LOCK);
  }

  @Test
  @Rule("HF-SES-06")
  default void aSessionInItsLeaseIsNotEndedByOthers() {
    SpiClient client = bench().client();
    SpiClient other = client.on(bench().connect());

    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    client.renewed();
  }

  @Test
  @Rule("HF-SES-07")
  @Proves(Claim.ENDED_BY_OTHERS)
  default void aSessionThatLapsedIsEndedByAnybodyForGood() {
    SpiClient client = bench().client(SHORT);
    SpiClient other = client.on(bench().connect());
    bench().lapse();

    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
    assertThat(client.renew()).isEqualTo(new Renewed.Over());
    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  @Test
  @Rule("HF-SES-08")
  default void aLateRenewalGivesAWholeTtl() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    LockBackend other = bench().connect();

    Bench.holdsWithin(
        SHORT,
        "a session that was just renewed is not ended by others",
        () -> {
          SpiClient client = bench().client(SHORT);
          bench().lapse();
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
    FaultyBackend faulty = new FaultyBackend(bench().connect());
    SpiClient client = SpiClient.open(faulty, LONG);
    faulty.next(Verb.RENEW, Fault.answerLost());
    faulty.next(Verb.RENEW, Fault.doubled());

    assertThatThrownBy(client::renew).isInstanceOf(BackendFailure.class);
    client.renewed();
    client.renewed();
  }

  /** The owner opens another session instead, so nothing but that copy ever meant the first id. */
  @Test
  @Rule(value = "HF-SES-10", marked = 1)
  default void aLateCopyOfAnOpeningLapsesAndDisturbsNobody() {
    FaultyBackend faulty = new FaultyBackend(bench().connect());
    LateCopy copy = faulty.next(Verb.OPEN, new LateCopy());
    SessionSpec unanswered = Bench.spec(SHORT);
    assertThatThrownBy(() -> faulty.open(unanswered, Bench.soon()))
        .isInstanceOf(BackendFailure.class);
    SpiClient client = SpiClient.open(faulty, LONG);
    Held held = client.hold(LOCK);

    copy.deliver();
    bench().lapse();

    assertThat(client.backend().end(unanswered.id(), EndIf.LAPSED, Bench.soon()))
        .isEqualTo(Ended.OVER);
    client.renewed();
    assertThat(client.holding(held.request()).number()).isEqualTo(held.number());
  }

  /** No engine opens an id twice, so the second copy may fail, but it must not do harm. */
  @Test
  @Rule(value = "HF-SES-11", marked = 1)
  default void aSecondCopyOfAnOpeningChangesNothing() {
    LockBackend backend = bench().connect();
    SessionSpec spec = Bench.spec();
    backend.open(spec, Bench.soon());
    SpiClient client = SpiClient.of(backend, spec.id());
    Held held = client.hold(LOCK);
    bench().client().revoke(held.observed(), RevokeWhen.SAFELY);

    try {
      bench().connect().open(spec, Bench.soon());
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
    SpiClient one = bench().client();
    SpiClient two = bench().client();
    one.hold(LOCK);

    assertThat(two.refused(LOCK).request().session()).isEqualTo(one.session());
    one.closeSession();
    two.renewed();
  }

  /** Either the renewal comes first and saves the session, or the end does and it is final. */
  @Test
  @Rule("HF-SES-13")
  default void aRenewalAndAnEndAtTheSameMomentAgree() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    LockBackend other = bench().connect();
    List<SpiClient> lapsed = Stream.generate(() -> bench().client(SHORT)).limit(20).toList();
    bench().lapse();

    for (SpiClient client : lapsed) {
      long start = System.nanoTime();
      List<Object> answers =
          Together.<Object>call(List.of(client::renew, () -> client.on(other).end(EndIf.LAPSED)));
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
    Duration most = Duration.ofMillis(1_300);
    LockBackend other = bench().connect();
    Bench.holdsWithin(
        bench().stepsTheClock() ? ttl.minus(most) : ttl,
        "A session is not ended by others before its TTL has passed",
        () -> bench().connect(),
        backend -> {
          SpiClient client = SpiClient.open(backend, ttl);
          bench().elapse(most);
          return client.on(other).end(EndIf.LAPSED) == Ended.ALIVE;
        });
  }
}
