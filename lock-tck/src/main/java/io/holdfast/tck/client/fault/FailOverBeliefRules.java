package io.holdfast.tck.client.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.ProcessIdentity;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.FailOverControl;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * After a fail-over whose new incarnation has ended all sessions of before, their holders believe
 * until they are told or their leases run out. At no time does a second client believe beside one,
 * no matter what clients do meanwhile. Judged by what the clients believe at the same moment, not
 * by what the store says: the store has forgotten.
 */
@Topic(value = "FOB", level = Level.LOSS, clause = "BackendOptions.RestartGuard")
public interface FailOverBeliefRules extends ClientFixture {

  /** How long two clients are watched. */
  public Duration WATCHED = Duration.ofSeconds(3);

  /** Of the holder, who shall believe for longer than any fail-over takes. */
  public Duration HOLDERS_TTL = Duration.ofMinutes(1);

  /** The identity that the holder gives itself. */
  public ProcessIdentity EARLIER = new ProcessIdentity("till 9");

  @Test
  @Rule(
      value = "HF-FOB-01",
      marked = {6, 9})
  @Disturbs(FailOverControl.class)
  default void revokingSafelyAfterAFailOverLetsNobodyInBesideAHolderThatBelieves() {
    fixture().requireExpiry(Expiry.BY_OTHERS); // Else its requests are gone with its session.
    whileAHolderBelieves(
        operator -> {
          LockRecord seen = answered(() -> operator.client().find(NAME)).orElseThrow();
          assertThat(answered(() -> operator.client().revoke(seen, RevokeWhen.SAFELY)))
              .isInstanceOf(Revocation.Marked.class);
        });
  }

  @Test
  @Rule(
      value = "HF-FOB-02",
      marked = {6, 9})
  @Disturbs(FailOverControl.class)
  default void anEarlierLifesReleaseAfterAFailOverLetsNobodyInBesideAHolderThatBelieves() {
    whileAHolderBelieves(
        operator ->
            answered(
                () ->
                    client(
                        Holdfast.builder()
                            .defaultTtl(LONG_TTL)
                            .processIdentity(EARLIER)
                            .releaseEarlierLife())));
  }

  @Test
  @Rule(value = "HF-FOB-03", marked = 9)
  @Disturbs(FailOverControl.class)
  default void aNewcomerAfterAFailOverIsNotLetInBesideAHolderThatBelieves() {
    whileAHolderBelieves(operator -> assertThat(answered(() -> operator.attempt(NAME))).isEmpty());
  }

  private void whileAHolderBelieves(Consumer<TestClient> disturbance) {
    fixture().requireLosses(EnumSet.of(Losses.GUARDED));
    FailOverControl store = fixture().control(FailOverControl.class);
    TestClient one = client(Holdfast.builder().defaultTtl(HOLDERS_TTL).processIdentity(EARLIER));
    Grant first = one.hold(NAME);
    TestClient two = client();
    Waiting waiting = two.waitFor(NAME, longWait().plus(HOLDERS_TTL));
    TestClient operator = client();
    await()
        .atMost(longWait())
        .until(() -> operator.client().find(NAME).orElseThrow().waiters().size() == 1);
    // The holder hears of nothing; the waiter hears how it stands, but not that it is over.
    one.faults().always(Fault.callLost());
    two.faults().every(Verb.RENEW, call -> true, Fault.callLost());

    store.failOverLosing(() -> {});
    disturbance.accept(operator);
    assertThat(first.isHeld()).as("the test was too slow: nobody believes any more").isTrue();

    CompletableFuture<Grant> second = waiting.result();
    long end = System.nanoTime() + WATCHED.toNanos();
    await()
        .atMost(WATCHED.plus(longWait()))
        .failFast(
            "two believe at once",
            () -> second.isDone() && second.join().isHeld() && first.isHeld())
        .until(() -> System.nanoTime() > end);
  }

  /** A connection may have gone with the store's last life. */
  private <T> T answered(Supplier<T> call) {
    long end = System.nanoTime() + longWait().toNanos();
    while (true) {
      try {
        return call.get();
      } catch (BackendUnreachableException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }
}
