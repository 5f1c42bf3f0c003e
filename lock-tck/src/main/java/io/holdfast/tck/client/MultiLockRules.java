package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.record.RevokeWhen;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.view.MultiGrant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several locks that are taken together. */
@Topic(value = "MUL", level = Level.CORE, clause = "LockClient.lockAll and MultiGrant")
public interface MultiLockRules extends ClientFixture {

  /** The other lock. */
  String SECOND = NAME + "/second";

  /** Requests of which the store answers one at least in time. */
  int ASKS_MAX = 5;

  private Waiting takesThemAgainAndAgain(TestClient client, List<String> names, AtomicInteger in) {
    return new Waiting(
        () -> {
          Grant last;
          int turn = 0;
          do {
            MultiGrant grant = client.client().lockAll(names, AcquireOptions.within(longWait()));
            assertThat(in.incrementAndGet()).as("clients that hold all of %s", names).isOne();
            last = grant.grants().get(0);
            in.decrementAndGet();
            grant.close();
          } while (++turn < 5);
          return last;
        });
  }

  @Test
  @Rule("HF-MUL-01")
  default void clientsThatAskInOppositeOrderDoNotWaitForEachOther() {
    AtomicInteger inside = new AtomicInteger();
    Waiting one = takesThemAgainAndAgain(client(), List.of(NAME, SECOND), inside);
    Waiting other = takesThemAgainAndAgain(client(), List.of(SECOND, NAME), inside);

    assertThat(List.of(one.grant().name(), other.grant().name()))
        .as("the lock that each has taken first")
        .containsOnly(LOCK);
  }

  @Test
  @Rule("HF-MUL-02")
  default void aTimeoutOnOneLeavesTheOthersFree() {
    TestClient other = client();
    Grant held = other.hold(SECOND);
    TestClient one = client();

    AcquireOptions brief = AcquireOptions.within(SHORT_WAIT);
    Throwable thrown;
    int asks = 0;
    do { // A store that stands still has not said by then who holds.
      thrown = catchThrowable(() -> one.client().lockAll(List.of(SECOND, NAME), brief));
    } while (thrown instanceof BackendUnreachableException && ++asks < ASKS_MAX);
    assertThat(thrown).isInstanceOf(LockTimeoutException.class);
    other.acquire(NAME, longWait()).release();
    assertThat(one.client().tryLockAll(List.of(NAME, SECOND))).isEmpty();
    other.acquire(NAME, longWait()).release();

    held.release();
    AcquireOptions patient = AcquireOptions.within(longWait());
    assertThat(one.client().tryLockAll(List.of(NAME, SECOND), patient)).isPresent();
  }

  @Test
  @Rule("HF-MUL-03")
  default void theLossOfOneIsTheLossOfAllAndTheOthersGoBack() {
    TestClient one = steadyClient();
    TestClient operator = client();
    MultiGrant grant =
        one.client().lockAll(List.of(NAME, SECOND), AcquireOptions.within(longWait()));
    AtomicInteger told = new AtomicInteger();
    grant.onLost((name, reason) -> told.incrementAndGet());

    operator.client().revoke(operator.client().find(SECOND).orElseThrow(), RevokeWhen.SAFELY);

    await().atMost(longWait()).until(() -> !grant.isHeld());
    await().atMost(longWait()).until(() -> told.get() == 1);
    assertThat(grant.grant(NAME).isHeld()).as("isHeld() of the lock that was not revoked").isTrue();
    grant.close();
    assertThat(told).hasValue(1);
    operator.hold(NAME);
  }
}
