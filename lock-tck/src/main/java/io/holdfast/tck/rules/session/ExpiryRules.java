package io.holdfast.tck.rules.session;

import static io.holdfast.tck.fixture.StoreFixture.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.rules.queue.OvertakeRules;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.RestartControl;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Stores that end sessions by themselves: no client needs to come, and nothing stays behind. The
 * rules of {@link SessionRules} and {@link OvertakeRules} about lapsed and ended holders are for
 * the others.
 */
@Topic(value = "EXP", level = Level.CORE, clause = "Capabilities.Expiry.BY_STORE")
public interface ExpiryRules extends SpiRules {

  /** A TTL that rules wait for, and in which a slow machine makes some calls. */
  Duration BRIEF = Duration.ofSeconds(4);

  /** Sessions of which the store ends one at least before a late renewal comes. */
  int LAPSES_MAX = 3;

  private void requireStoreEnds() {
    fixture().requireExpiry(Expiry.BY_STORE);
  }

  /**
   * Waits until what a lapsed session had is seen to be gone: a store may stand still for a time.
   */
  private void awaitEnded(Callable<Boolean> gone) {
    Awaitility.await("what lapsed to be ended").atMost(fixture().store().longWait()).until(gone);
  }

  @Test
  @Rule("HF-EXP-01")
  @Proves(Claim.ENDED_BY_STORE)
  default void aSessionThatLapsedIsOver() {
    requireStoreEnds();
    SpiClient client;
    Renewed answer;
    int tries = 0;
    do { // A store that stands still when it should end a session has it renewed before that.
      client = fixture().client(SHORT);
      fixture().lapse();
      answer = fixture().answered(client::renew);
    } while (answer instanceof Renewed.Alive && ++tries < LAPSES_MAX);

    assertThat(answer).isEqualTo(new Renewed.Over());
    assertThat(client.grab(client.waitingRequest(LOCK))).isEqualTo(new Attempt.SessionOver());
    assertThat(client.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  @Test
  @Rule("HF-EXP-02")
  @Proves(Claim.ENDED_BY_STORE)
  default void aLockWhoseHolderLapsedIsFree() {
    requireStoreEnds();
    SpiClient next = fixture().client();
    SpiClient holder = fixture().client(BRIEF);
    Held held = holder.hold(LOCK);
    fixture().lapse(BRIEF);

    awaitEnded(() -> next.isFree(LOCK));
    assertThat(next.hold(LOCK).number()).isGreaterThan(held.number());
    assertThat(fixture().answered(() -> holder.release(held))).isEqualTo(Released.NOTHING);
    assertThat(holder.standing(held.request())).isEqualTo(new Standing.Absent());
  }

  @Test
  @Rule("HF-EXP-03")
  @Proves(Claim.ENDED_BY_STORE)
  default void aLockWhoseHolderLapsedPassesToTheNextWhoLives() {
    requireStoreEnds();
    SpiClient waiter = fixture().client();
    SpiClient between = fixture().client(BRIEF);
    SpiClient holder = fixture().client(BRIEF);
    Held held = holder.hold(LOCK);
    between.renewed();
    between.queue(LOCK);
    holder.renewed();
    Request waits = waiter.queue(LOCK);
    fixture().lapse(BRIEF);

    awaitEnded(() -> waiter.inspect(LOCK).orElseThrow().waiters().isEmpty());
    assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    assertThat(waiter.inspect(LOCK).map(LockRecord::waiters)).contains(List.of());
  }

  @Test
  @Rule("HF-EXP-04")
  default void aHolderWhoseSessionIsClosedHasLeft() {
    requireStoreEnds();
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    holder.closeSession();

    assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    assertThat(holder.release(held)).isEqualTo(Released.NOTHING);
  }

  @Test
  @Rule("HF-EXP-05")
  default void aWaiterWhoseSessionIsClosedHasLeft() {
    requireStoreEnds();
    SpiClient holder = fixture().client();
    holder.hold(LOCK);
    SpiClient gone = fixture().client();
    gone.queue(LOCK);
    SpiClient behind = fixture().client();
    Request waits = behind.queue(LOCK);

    gone.closeSession();

    behind.requireWaiting(waits, 1);
    assertThat(holder.inspect(LOCK).orElseThrow().waiters()).hasSize(1);
  }

  /** Even if the store misjudges the time for which it was down, it does not forget to look. */
  @Test
  @Rule(value = "HF-EXP-06", level = Level.LOSS)
  @Disturbs(RestartControl.class)
  default void aHolderThatDoesNotComeBackAfterARestartIsEnded() {
    requireStoreEnds();
    RestartControl restart = fixture().control(RestartControl.class);
    SpiClient holder = fixture().client(BRIEF);
    Held held = holder.hold(LOCK);
    restart.restartLosingNothing();
    SpiClient waiter = fixture().client();
    fixture().lapse(BRIEF);

    awaitEnded(() -> waiter.isFree(LOCK));
    assertThat(waiter.hold(LOCK).number()).isGreaterThan(held.number());
  }
}
