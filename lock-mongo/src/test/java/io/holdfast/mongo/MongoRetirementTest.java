package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.mongo.imitation.InjectedFault;
import io.holdfast.mongo.imitation.InjectedFault.Kind;
import io.holdfast.mongo.imitation.RealServerRules;
import io.holdfast.mongo.imitation.WireProxy.Fate;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Retirement.InUse;
import io.holdfast.record.Retirement.LiveSession;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a retirement finds, and what is left behind it. */
class MongoRetirementTest extends ImitationTestBase {

  private static final long TTL = StoreFixture.LONG.toMillis();

  @AfterEach
  void letAllPass() {
    proxy.judge(command -> new Fate.Passes());
  }

  @Test
  void whileASessionLivesNothingChanges() {
    try (FormerCollections former = FormerCollections.writeLiving()) {
      List<BsonDocument> before = former.collection("sessions").find().into(new ArrayList<>());

      assertThat(((InUse) former.retire()).sessions()).hasSize(2);

      assertThat(former.collection("sessions").find()).containsExactlyElementsOf(before);
      assertThat(former.holder().renew()).isTrue();
      assertThat(former.holder().release(FormerCollections.HELD.value())).isTrue();
    }
  }

  /** Its time was told by another clock. */
  @Test
  void aSessionThatCannotBeJudgedHasAWholeTtl() {
    try (FormerCollections former = FormerCollections.write()) {
      server.ageIncarnations();

      assertThat(((InUse) former.retire()).sessions())
          .extracting(LiveSession::lapsesWithin)
          .containsOnly(StoreFixture.LONG.plusSeconds(1));

      assertThat(former.retire()).isInstanceOf(InUse.class);
      former.pass(StoreFixture.LONG.plusSeconds(2));
      assertThat(former.retire()).isEqualTo(FormerCollections.RETIRED);
      former.requireRetired();
    }
  }

  @Test
  void thereIsNothingToRetireTwice() {
    try (FormerCollections former = FormerCollections.write()) {
      former.retire();

      assertThatThrownBy(former::retire)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("nothing to retire");
    }
  }

  /**
   * A client of version 1 whose process stood still goes on, and finds that its session is over.
   */
  @Test
  void whatVersion1SendsTooLateHoldsNoLockUp() {
    try (FormerCollections former = FormerCollections.write();
        LockBackend backend = retired(former)) {
      LockName late = new LockName("late");
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      assertThat(former.holder().grab(late.value())).isTrue();

      assertThat(former.holder().renew()).isFalse();
      LockRecord record = client.inspect(late).orElseThrow();
      assertThat(client.grab(client.request(late))).isInstanceOf(Attempt.Refused.class);
      Request waiting = client.queue(late);
      Observed observed =
          new Observed(late, record.number(), record.holder().orElseThrow().request());
      assertThat(client.waiting(waiting).obstacles()).isNotEmpty();
      assertThat(client.overtake(waiting, observed)).isInstanceOf(Attempt.Granted.class);
      assertThat(client.holding(waiting).number()).isGreaterThan(record.number());
    }
  }

  @Test
  void whoJoinsFromVersion1TooLateIsOvertaken() {
    try (FormerCollections former = FormerCollections.write();
        LockBackend backend = retired(former)) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      Held held = client.hold(FormerCollections.HELD);
      assertThat(former.holder().join(FormerCollections.HELD.value())).isTrue();
      assertThat(client.release(held)).isEqualTo(Released.HANDED_ON);

      LockRecord record = client.inspect(FormerCollections.HELD).orElseThrow();
      Held next =
          client.overtake(
              new Observed(
                  FormerCollections.HELD,
                  record.number(),
                  record.holder().orElseThrow().request()));

      assertThat(next.number()).isGreaterThan(held.number());
      assertThat(former.holder().release(FormerCollections.HELD.value())).isFalse();
    }
  }

  private static LockBackend retired(FormerCollections former) {
    assertThat(former.retire()).isEqualTo(FormerCollections.RETIRED);
    return former.connect();
  }

  /** However late version 1 comes: a client that has read the namespace has no bound. */
  @Test
  void sweepsLeaveWhatKeepsVersion1Out() {
    try (FormerCollections former = FormerCollections.write();
        LockBackend backend = retired(former)) {
      SpiClient.open(backend, StoreFixture.LONG).closeSession();
      for (int day = 1; day <= 3; day++) {
        former.pass(Duration.ofHours(25));
        backend.sweep(StoreFixture.soon());
      }

      assertThat(former.collection("sessions").find()).hasSize(1);
      assertThat(former.newcomer().open(TTL)).isFalse();
      SpiClient.open(backend, StoreFixture.LONG).hold(FormerCollections.HELD);
    }
  }

  /** A number that was too low for its time, which nobody may have used. */
  @Test
  void aRecordThatBeganTooLowIsRaised() {
    try (FormerCollections former = FormerCollections.write()) {
      former
          .collection("locks")
          .updateMany(
              BsonDocument.parse("{}"), BsonDocument.parse("{$set: {base: NumberLong(5)}}"));
      long now = StoreClock.micros(Instant.now());
      try (LockBackend backend = retired(former)) {
        SpiClient client = SpiClient.open(backend, StoreFixture.LONG);

        assertThat(client.hold(FormerCollections.HELD).number())
            .isGreaterThan(now - StoreClock.micros(Duration.ofHours(1)));
      }
    }
  }

  /** As those have that an earlier build of the present version has stored. */
  @Test
  void sessionsWithoutAnIdGoOn() {
    try (FormerCollections former = FormerCollections.write()) {
      former.collection("namespace").deleteMany(BsonDocument.parse("{}"));
      try (LockBackend backend = former.connect()) {
        SpiClient one = SpiClient.open(backend, StoreFixture.LONG);
        SpiClient other = SpiClient.open(backend, StoreFixture.LONG);
        Held held = one.hold(new LockName("a"));
        former
            .collection("sessions")
            .updateMany(BsonDocument.parse("{}"), BsonDocument.parse("{$unset: {id: ''}}"));

        one.renewed();
        other.refused(held.name());
        one.closeSession();
        assertThat(one.renew()).isEqualTo(new Renewed.Over());
        other.overtake(held.observed());
      }
    }
  }

  @Test
  void shardedCollectionsAreRefused() {
    BsonDocument refusal =
        BsonDocument.parse(
            "{ok: 0.0, code: 67, codeName: 'CannotCreateIndex', errmsg: 'cannot create unique index over { id: 1 } with shard key pattern { _id: 1 }'}");
    proxy.judge(
        command ->
            command.containsKey("createIndexes")
                ? new Fate.AnsweredInstead(refusal)
                : new Fate.Passes());
    try (FormerCollections former = FormerCollections.write()) {
      assertThatThrownBy(former::retire)
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("sharded");

      assertThat(former.newcomer().open(TTL)).isTrue();
    }
  }

  /** An error at any command leaves what another call retires, unless it was retired by then. */
  @ParameterizedTest
  @EnumSource
  void anErrorAtAnyCommandDoesNoHarm(Kind kind) {
    InjectedFault fault = kind.faults().get(0);
    boolean reached = true;
    for (int at = 1; reached; at++) {
      AtomicInteger left = new AtomicInteger(at);
      try (FormerCollections former = FormerCollections.write()) {
        proxy.judge(
            command ->
                RealServerRules.isGreeting(command) || left.decrementAndGet() != 0
                    ? new Fate.Passes()
                    : fault.fate());
        try {
          assertThat(former.retire()).isEqualTo(FormerCollections.RETIRED);
        } catch (BackendFailure | BackendUnusableException told) {
          retireAgain(former);
        }
        reached = left.get() <= 0;
        letAllPass();
        former.requireRetired();
      }
    }
  }

  private static void retireAgain(FormerCollections former) {
    try {
      assertThat(former.retire()).isEqualTo(FormerCollections.RETIRED);
    } catch (BadRequestException done) {
      assertThat(done).hasMessageContaining("nothing to retire");
    }
  }
}
