package io.holdfast.tck.rules.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/** A holder is told whether others wait behind it, or that it is not known: never a guess. */
@Topic(
    value = "CTN",
    level = Level.CORE,
    clause = "Attempt.Granted and Standing.Holding: contention")
public interface ContentionRules extends SpiRules {

  @Test
  @Rule("HF-CTN-01")
  default void aHolderIsNotToldThatSomebodyWaitsWhereNobodyDoes() {
    SpiClient holder = fixture().client();
    Request request = holder.request(LOCK);

    assertThat(granted(holder.grab(request))).isNotEqualTo(Contention.SOMEBODY_WAITS);
    assertThat(granted(holder.grab(request))).isNotEqualTo(Contention.SOMEBODY_WAITS);
    assertThat(holding(holder.standing(request))).isNotEqualTo(Contention.SOMEBODY_WAITS);
  }

  @Test
  @Rule("HF-CTN-02")
  default void aHolderIsNotToldThatNobodyWaitsWhereSomebodyDoes() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    assertThat(holding(holder.standing(held.request()))).isNotEqualTo(Contention.NOBODY_WAITS);
    assertThat(granted(holder.grab(held.request()))).isNotEqualTo(Contention.NOBODY_WAITS);

    waiter.release(waits);
    assertThat(holding(holder.standing(held.request()))).isNotEqualTo(Contention.SOMEBODY_WAITS);
  }

  @Test
  @Rule("HF-CTN-03")
  default void whoIsHandedTheLockIsToldOfThoseBehindIt() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient next = fixture().client();
    Request waits = next.queue(LOCK);
    SpiClient last = fixture().client();
    Request behind = last.queue(LOCK);

    holder.release(held);
    assertThat(holding(next.standing(waits))).isNotEqualTo(Contention.NOBODY_WAITS);

    next.release(waits);
    assertThat(holding(last.standing(behind))).isNotEqualTo(Contention.SOMEBODY_WAITS);
  }

  @Test
  @Rule("HF-CTN-04")
  default void whoOvertakesIsToldOfThoseBehindIt() {
    Held dead = fixture().deadHolder(LOCK);
    SpiClient next = fixture().client();
    Request waits = next.queue(LOCK);
    fixture().client().queue(LOCK);

    assertThat(granted(next.overtake(waits, dead.observed())))
        .isNotEqualTo(Contention.NOBODY_WAITS);
  }

  private static Contention granted(Attempt attempt) {
    assertThat(attempt).isInstanceOf(Attempt.Granted.class);
    return ((Attempt.Granted) attempt).contention();
  }

  private static Contention holding(Standing standing) {
    assertThat(standing).isInstanceOf(Standing.Holding.class);
    return ((Standing.Holding) standing).contention();
  }
}
