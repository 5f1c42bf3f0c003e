package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Liveness;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.tck.store.RestartControl;
import org.junit.jupiter.api.Test;

/**
 * The store starts again and has lost nothing. Everything goes on, except that what the clock of
 * the incarnation before has written says nothing about the time now.
 */
public interface RestartRules extends SpiRules {

  @Test
  default void whatWasHeldIsHeldAfterARestart() {
    RestartControl restart = bench().control(RestartControl.class);
    SpiClient holder = bench().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = bench().client();
    Request waits = waiter.queue(LOCK);

    restart.restartLosingNothing();

    LockBackend backend = bench().connect();
    holder.on(backend).renewed();
    waiter.on(backend).renewed();
    assertThat(holder.on(backend).holding(held.request())).isEqualTo(held);
    assertThat(bench().client().refused(LOCK).request()).isEqualTo(held.request().id());
    holder.on(backend).release(held);
    waiter.on(backend).holding(waits);
  }

  @Test
  default void aFreeLockIsGrantedAtOnceAfterARestart() {
    RestartControl restart = bench().control(RestartControl.class);
    bench().client();

    restart.restartLosingNothing();

    bench().client().hold(LOCK);
  }

  @Test
  default void aSessionThatWasOverStaysOver() {
    RestartControl restart = bench().control(RestartControl.class);
    SpiClient client = bench().client();
    client.closeSession();

    restart.restartLosingNothing();

    assertThat(client.on(bench().connect()).renew()).isEqualTo(new Renewed.Over());
  }

  /** However long ago its renewal seems to be: by whose clock? It is given one whole TTL. */
  @Test
  default void aSessionOfAnotherIncarnationIsGivenAWholeTtl() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    RestartControl restart = bench().control(RestartControl.class);

    Bench.holdsWithin(
        SHORT,
        "a session of another incarnation is given a whole TTL when somebody would end it",
        () -> {
          SpiClient client = bench().client(SHORT);
          bench().lapse();
          restart.restartLosingNothing();
          return client.on(bench().connect());
        },
        client -> {
          Ended restamped = client.end(EndIf.LAPSED);
          Ended judged = client.end(EndIf.LAPSED);
          return restamped == Ended.ALIVE && judged == Ended.ALIVE;
        });
  }

  @Test
  default void aHolderOfAnotherIncarnationIsDoubtfulAndComesBack() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    RestartControl restart = bench().control(RestartControl.class);
    SpiClient holder = bench().client();
    Held held = holder.hold(LOCK);

    restart.restartLosingNothing();

    assertThat(bench().client().refused(LOCK).liveness()).isEqualTo(Liveness.LAPSED);
    SpiClient after = holder.on(bench().connect());
    after.renewed();
    assertThat(bench().client().refused(LOCK).liveness()).isEqualTo(Liveness.LIVE);
    assertThat(after.holding(held.request())).isEqualTo(held);
  }

  @Test
  default void aSessionOfAnotherIncarnationIsEndedAfterThatTtl() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    RestartControl restart = bench().control(RestartControl.class);
    SpiClient dead = bench().client(SHORT);
    Held held = dead.hold(LOCK);

    restart.restartLosingNothing();

    SpiClient other = bench().client();
    assertThat(dead.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    assertThat(other.overtake(other.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);
    bench().lapse();

    assertThat(dead.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
    other.overtake(held.observed());
  }
}
