package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.mongo.WireProxy.Fate;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.Held;
import io.holdfast.tck.rules.SpiClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A primary that was replaced and does not know confirms no write, but it says at once that there
 * is nothing to be written; and one that was elected a moment ago reads what a majority is known to
 * have, which may be less than it has. Neither is believed when it says that something is not
 * there.
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
            proxy.uri("old"), MongoSettings.standard(), BackendOptions.DEFAULTS, Bench.soon());
  }

  @AfterEach
  void close() throws IOException {
    backend.close();
    proxy.requireNoFaults();
    proxy.close();
    server.close();
  }

  /** So many of the next changes of a collection's documents are answered by one that has none. */
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

  /** So many of the next readings of locks find none. */
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

  /** Whoever waits would ask anew, and its place in the queue would be nobody's. */
  @Test
  void aPlaceInTheQueueIsNotForgottenBecauseANewPrimaryDoesNotTellItYet() {
    SpiClient holder = SpiClient.open(backend, Bench.LONG);
    holder.hold(LOCK);
    SpiClient waiter = SpiClient.open(backend, Bench.LONG);
    Request waits = waiter.queue(LOCK);

    aNewPrimaryReadsNothingYet(1);

    assertThat(waiter.waiting(waits).ahead()).isEqualTo(1);
  }

  @Test
  void whoOvertakesIsNotRefusedItsPlaceBecauseANewPrimaryDoesNotTellItYet() {
    SpiClient holder = SpiClient.open(backend, Bench.LONG);
    Held held = holder.hold(LOCK);
    SpiClient waiter = SpiClient.open(backend, Bench.LONG);
    Request waits = waiter.queue(LOCK);
    holder.closeSession();

    aNewPrimaryReadsNothingYet(1);

    assertThat(waiter.overtake(waits, held.observed())).isInstanceOf(Attempt.Granted.class);
  }

  /** It would be held by nobody for as long as the session lives. */
  @Test
  void aLockThatItDoesNotKnowIsReleasedAllTheSame() {
    SpiClient client = SpiClient.open(backend, Bench.LONG);
    Held held = client.hold(LOCK);

    anOldPrimaryAnswers(3, "locks");

    assertThat(client.release(held)).isEqualTo(Released.FREED);
    assertThat(client.isFree(LOCK)).isTrue();
  }

  @Test
  void nothingIsRevokedUnderAHolderWhoseSessionItDoesNotKnow() {
    SpiClient client = SpiClient.open(backend, Bench.LONG);
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
    SpiClient client = SpiClient.open(backend, Bench.LONG);
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
