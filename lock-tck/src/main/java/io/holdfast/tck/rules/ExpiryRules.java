package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockRecord;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.Released;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Standing;
import io.holdfast.tck.store.RestartControl;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Stores that end sessions by themselves: nobody needs to come, and nothing stays behind. What
 * {@link SessionRules} and {@link OvertakeRules} say of lapsed and ended holders is for the others.
 */
public interface ExpiryRules extends SpiRules {

  private void requireStoreEnds() {
    bench().requireExpiry(Expiry.BY_STORE);
  }

  @Test
  default void aSessionThatLapsedIsOver() {
    requireStoreEnds();
    SpiClient client = bench().client(SHORT);
    bench().lapse();

    assertThat(client.renew()).isEqualTo(new Renewed.Over());
    assertThat(client.grab(client.patient(LOCK))).isEqualTo(new Attempt.SessionOver());
    assertThat(client.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  @Test
  default void aLockWhoseHolderLapsedIsFree() {
    requireStoreEnds();
    SpiClient holder = bench().client(SHORT);
    Held held = holder.hold(LOCK);
    SpiClient next = bench().client();
    bench().lapse();

    assertThat(next.isFree(LOCK)).isTrue();
    assertThat(next.hold(LOCK).number()).isGreaterThan(held.number());
    assertThat(holder.release(held)).isEqualTo(Released.NOTHING);
    assertThat(holder.standing(held.request())).isEqualTo(new Standing.Absent());
  }

  @Test
  default void aLockWhoseHolderLapsedPassesToTheNextWhoLives() {
    requireStoreEnds();
    SpiClient holder = bench().client(SHORT);
    Held held = holder.hold(LOCK);
    bench().client(SHORT).queue(LOCK);
    SpiClient waiter = bench().client();
    Request waits = waiter.queue(LOCK);
    bench().lapse();

    assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    assertThat(waiter.inspect(LOCK).map(LockRecord::waiters)).contains(List.of());
  }

  @Test
  default void aHolderWhoseSessionIsClosedHasLeft() {
    requireStoreEnds();
    SpiClient holder = bench().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = bench().client();
    Request waits = waiter.queue(LOCK);

    holder.closeSession();

    assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    assertThat(holder.release(held)).isEqualTo(Released.NOTHING);
  }

  @Test
  default void aWaiterWhoseSessionIsClosedHasLeft() {
    requireStoreEnds();
    SpiClient holder = bench().client();
    holder.hold(LOCK);
    SpiClient gone = bench().client();
    gone.queue(LOCK);
    SpiClient behind = bench().client();
    Request waits = behind.queue(LOCK);

    gone.closeSession();

    assertThat(behind.waiting(waits)).isEqualTo(new Standing.Waiting(1, List.of()));
    assertThat(holder.inspect(LOCK).orElseThrow().waiters()).hasSize(1);
  }

  /** Whatever the store believes of the time it was down for, it does not forget to look. */
  @Test
  default void aHolderThatDoesNotComeBackAfterARestartIsEnded() {
    requireStoreEnds();
    RestartControl restart = bench().control(RestartControl.class);
    SpiClient holder = bench().client(SHORT);
    Held held = holder.hold(LOCK);
    restart.restartLosingNothing();
    SpiClient waiter = bench().client();
    bench().lapse();

    assertThat(waiter.hold(LOCK).number()).isGreaterThan(held.number());
  }
}
