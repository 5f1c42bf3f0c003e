package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.imitation.ClockedServer;
import io.holdfast.mongo.imitation.StrictProxy;
import io.holdfast.mongo.imitation.WireProxy.Fate;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A primary that was replaced without knowing it confirms no write, but it answers at once if no
 * document matches. A newly elected primary reads what it knows a majority has confirmed, which may
 * be less than the majority has. When either says that a session or a request is missing, the
 * answer does not count.
 */
class OldPrimaryTest {

  private static final LockName LOCK = new LockName("orders/42");

  private final ClockedServer server = ClockedServer.start();
  private StrictProxy proxy;
  private LockBackend backend;

  @BeforeEach
  void connect() throws IOException {
    proxy = StrictProxy.before(server.port());
    backend =
        MongoLockProvider.connect(
            proxy.uri("old"),
            MongoSettings.standard(),
            BackendOptions.DEFAULTS,
            StoreFixture.soon());
  }

  @AfterEach
  void close() throws IOException {
    backend.close();
    proxy.requireNoFaults();
    proxy.close();
    server.close();
  }

  /** Answers the next changes of a collection's documents as a primary without documents would. */
  private void anOldPrimaryAnswers(int times, String collection) {
    AtomicInteger left = new AtomicInteger(times);
    proxy.judge(
        command -> {
          boolean changes =
              command.getFirstKey().equals("findAndModify")
                  && command.getString("findAndModify").getValue().endsWith(collection)
                  && !command.containsKey("upsert");
          return changes && left.getAndDecrement() > 0
              ? new Fate.AnsweredInstead(BsonDocument.parse("{ok: 1.0, value: null}"))
              : new Fate.Passes();
        });
  }

  /** Answers the next reads of locks with no document. */
  private void aNewPrimaryReadsNothingYet(int times) {
    AtomicInteger left = new AtomicInteger(times);
    BsonDocument nothing =
        BsonDocument.parse(
            "{ok: 1.0, cursor: {id: {$numberLong: '0'}, ns: 'old.holdfast_locks', firstBatch: []}}");
    proxy.judge(
        command ->
            command.getFirstKey().equals("find")
                    && command.getString("find").getValue().endsWith("locks")
                    && left.getAndDecrement() > 0
                ? new Fate.AnsweredInstead(nothing)
                : new Fate.Passes());
  }

  /**
   * Otherwise the waiter would send a new request, and its old place in the queue would belong to
   * no waiter.
   */
  @Test
  void aPlaceInTheQueueIsNotForgottenBecauseANewPrimaryDoesNotTellItYet() {
    SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
    holder.hold(LOCK);
    SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
    Request waits = waiter.queue(LOCK);

    aNewPrimaryReadsNothingYet(1);

    assertThat(waiter.waiting(waits).ahead()).isEqualTo(1);
  }

  @Test
  void whoOvertakesIsNotRefusedItsPlaceBecauseANewPrimaryDoesNotTellItYet() {
    SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
    Held held = holder.hold(LOCK);
    SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
    Request waits = waiter.queue(LOCK);
    holder.closeSession();

    aNewPrimaryReadsNothingYet(1);

    assertThat(waiter.overtake(waits, held.observed())).isInstanceOf(Attempt.Granted.class);
  }

  /** Otherwise an operator would believe that the holder has given the lock up by itself. */
  @Test
  void aGrantIsRevokedAlthoughANewPrimaryDoesNotTellItYet() {
    SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
    Held held = holder.hold(LOCK);

    aNewPrimaryReadsNothingYet(1);
    assertThat(holder.revoke(held.observed(), RevokeWhen.SAFELY))
        .isInstanceOf(Revocation.Marked.class);
    assertThat(holder.toldRevoked()).containsExactly(held.request().id());

    aNewPrimaryReadsNothingYet(1);
    assertThat(
            backend.revokeIn(held.observed(), StoreFixture.LONG.dividedBy(2), StoreFixture.soon()))
        .isInstanceOf(Revocation.Marked.class);

    aNewPrimaryReadsNothingYet(1);
    assertThat(holder.revoke(held.observed(), RevokeWhen.NOW)).isEqualTo(new Revocation.Freed());
    assertThat(holder.isFree(LOCK)).isTrue();
  }

  /** Otherwise the lock would stay taken for as long as the session is alive. */
  @Test
  void aLockThatItDoesNotKnowIsReleasedAllTheSame() {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Held held = client.hold(LOCK);

    anOldPrimaryAnswers(3, "locks");

    assertThat(client.release(held)).isEqualTo(Released.FREED);
    assertThat(client.isFree(LOCK)).isTrue();
  }

  @Test
  void aHolderThatItDoesNotKnowIsMadeToShareAllTheSame() {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Held held = client.hold(LOCK);

    anOldPrimaryAnswers(1, "locks");

    assertThat(client.downgrade(held).number()).isGreaterThan(held.number());
  }

  @Test
  void nothingIsRevokedUnderAHolderWhoseSessionItDoesNotKnow() {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Held held = client.hold(LOCK);

    anOldPrimaryAnswers(1, "sessions");

    assertThatThrownBy(() -> client.revoke(held.observed(), RevokeWhen.SAFELY))
        .isInstanceOf(BackendFailure.class)
        .hasMessageContaining("old state");
    assertThat(client.holder(LOCK).revokedAt()).isEmpty();
    assertThat(client.revoke(held.observed(), RevokeWhen.SAFELY))
        .isInstanceOf(Revocation.Marked.class);
    assertThat(client.toldRevoked()).containsExactly(held.request().id());
  }

  @Test
  void numbersRiseFromARecordThatWasMadeOnlyToBeSure() {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    assertThat(client.release(client.request(LOCK))).isEqualTo(Released.NOTHING);
    assertThat(client.inspect(LOCK)).isEmpty();
    Held elsewhere = client.hold(new LockName("another"));
    server.remember("old");
    server.stepClock(Duration.ofHours(1));

    Held held = client.hold(LOCK);

    assertThat(held.number() - elsewhere.number())
        .isGreaterThan(StoreClock.micros(Duration.ofMinutes(59)));
    assertThat(client.release(held)).isEqualTo(Released.FREED);
  }
}
