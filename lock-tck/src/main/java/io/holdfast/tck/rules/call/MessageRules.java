package io.holdfast.tck.rules.call;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.network.AtMessage;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.report.NotProvedException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.NetworkControl;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Each message of a verb is lost, doubled where it can be, or the last of its connection. A client
 * that does not know the outcome of a call asks again, and it is as if it had asked once.
 */
@Topic(
    value = "MSG",
    level = Level.NETWORK,
    clause = "LockBackend: idempotent per request or session id")
public interface MessageRules extends SpiRules {

  /** More messages than any verb has. */
  int MESSAGES_MAX = 100;

  int REPEATED_MAX = 20;

  int ANSWERED_IN_A_ROW = 3;

  Duration RECONNECTS_WITHIN = Duration.ofSeconds(60);

  /** How long a call waits for an answer that is lost. */
  Duration GIVES_UP_AFTER = Duration.ofMillis(700);

  /**
   * A verb on a lock of its own.
   *
   * @param call calls it
   * @param isDone whether it can be seen that it was done, at least in part
   * @param check fails unless it was done exactly once
   */
  record Act(Consumer<Deadline> call, BooleanSupplier isDone, Runnable check) {}

  /** The outcome of a call. */
  enum Met {
    /** The message to which something was to happen. */
    THE_MESSAGE,
    /** Its end: it has fewer messages. */
    THE_END,
    /** A failure, as on a machine that stands still until the time for the call is up. */
    NEITHER
  }

  /** Prepares an act of the client behind the network. */
  interface Scene {
    /** Prepares it, with that name. */
    Act prepare(SpiClient client, LockName name);
  }

  /** The witness is not behind the network. All faults together can take longer than its TTL. */
  private void whateverHappensToItsMessages(SpiClient witness, Scene scene) {
    NetworkControl network = fixture().messages();
    NetworkProxy proxy =
        fixture().closedWithThis(NetworkProxy.to(network.serverPort(), network::framing));
    LockBackend behind =
        fixture().closedWithThis(network.connect(proxy.port(), StoreFixture.options()));
    List<Delivery> deliveries =
        network.framing().messagesStandAlone()
            ? List.of(Delivery.CUT, Delivery.LOSE, Delivery.DOUBLE)
            : List.of(Delivery.CUT, Delivery.LOSE);
    for (Delivery delivery : deliveries) {
      int message = 1;
      int again = 0;
      Met met;
      do {
        LockName name = new LockName("%s/%s/%s".formatted(delivery, message, again));
        met = play(scene, proxy, opened(behind), new AtMessage(message, delivery), delivery, name);
        witness.keepAlive();
        message += met == Met.THE_MESSAGE ? 1 : 0;
        again = met == Met.NEITHER ? again + 1 : 0;
      } while (met != Met.THE_END && again < REPEATED_MAX);
      if (met != Met.THE_END) {
        throw new NotProvedException(
            "Message %s of the verb was not reached in %s calls, to have it: %s. What comes after it is not tested."
                .formatted(message, REPEATED_MAX, delivery));
      }
      assertThat(message).as("messages of the verb").isBetween(2, MESSAGES_MAX);
    }
  }

  /**
   * Opens a session when the connections are there again. A fault may break one that a backend was
   * making for later, and none may be left for other verbs than that which was repeated: until it
   * has made another one, a call says that it did nothing.
   */
  private static SpiClient opened(LockBackend behind) {
    return onceConnected(() -> SpiClient.open(behind, LONG));
  }

  private static <T> T onceConnected(Callable<T> call) {
    return await("connections over a network that is whole again")
        .atMost(RECONNECTS_WITHIN)
        .ignoreExceptionsMatching(MessageRules::saysThatItDidNothing)
        .until(call, answer -> true);
  }

  private static boolean saysThatItDidNothing(Throwable thrown) {
    return thrown instanceof BackendFailure failure && failure.effect() == Effect.NONE;
  }

  private static Met play(
      Scene scene,
      NetworkProxy proxy,
      SpiClient client,
      AtMessage plan,
      Delivery delivery,
      LockName name) {
    Act act = scene.prepare(client, name);
    proxy.decide(plan);
    boolean answered = false;
    try {
      act.call()
          .accept(delivery == Delivery.LOSE ? Deadline.in(GIVES_UP_AFTER) : StoreFixture.soon());
      answered = true;
    } catch (BackendFailure failure) {
      if (failure.effect() == Effect.NONE) {
        assertThat(act.isDone().getAsBoolean()).as("effect of %s", failure).isFalse();
      }
    }
    proxy.heal();
    repeat(act);
    awaitConnections(client);
    act.check().run();
    if (plan.wasReached()) {
      return Met.THE_MESSAGE;
    }
    return answered ? Met.THE_END : Met.NEITHER;
  }

  /**
   * Waits until there are connections again for all verbs that the check may call. The verb that
   * was repeated says only that there is one for its own kind.
   */
  private static void awaitConnections(SpiClient client) {
    onceConnected(client::renew);
    onceConnected(() -> client.inspect(new LockName("none")));
  }

  /**
   * Repeats the call until it is answered several times in a row: a connection that was broken may
   * be noticed only by the call that uses it next.
   */
  private static void repeat(Act act) {
    int answered = 0;
    for (int left = REPEATED_MAX; answered < ANSWERED_IN_A_ROW; left--) {
      try {
        act.call().accept(StoreFixture.soon());
        answered++;
      } catch (BackendFailure failure) {
        if (left == 0) {
          throw failure;
        }
        answered = 0;
      }
    }
  }

  @Test
  @Rule("HF-MSG-01")
  default void aGrabIsOneGrabWhateverHappensToItsMessages() {
    SpiClient witness = networked();
    whateverHappensToItsMessages(
        witness,
        (client, name) -> {
          Request request = client.request(name);
          return new Act(
              deadline -> client.backend().grab(request, deadline),
              () -> !witness.isFree(name),
              () -> {
                assertThat(witness.holder(name).request()).isEqualTo(request.id());
                assertThat(witness.inspect(name).orElseThrow().number())
                    .isEqualTo(client.holding(request).number());
                client.release(request);
                witness.requireFree(name);
              });
        });
  }

  @Test
  @Rule("HF-MSG-02")
  default void joiningIsJoiningOnceWhateverHappensToItsMessages() {
    SpiClient witness = networked();
    whateverHappensToItsMessages(
        witness,
        (client, name) -> {
          Held held = witness.hold(name);
          Request request = client.waitingRequest(name);
          return new Act(
              deadline -> client.backend().grab(request, deadline),
              () -> !waiters(witness, name).isEmpty(),
              () -> {
                assertThat(waiters(witness, name))
                    .extracting(Waiter::request)
                    .containsExactly(request.id());
                witness.release(held);
                client.release(client.holding(request));
                witness.requireFree(name);
              });
        });
  }

  @Test
  @Rule("HF-MSG-03")
  default void aHandOverIsOneHandOverWhateverHappensToItsMessages() {
    SpiClient witness = networked();
    whateverHappensToItsMessages(
        witness,
        (client, name) -> {
          Held held = client.hold(name);
          Request next = witness.queue(name);
          Request behind = witness.queue(name);
          return new Act(
              deadline -> client.backend().release(name, held.request().id(), deadline),
              () -> !witness.holder(name).request().equals(held.request().id()),
              () -> {
                witness.waiting(behind);
                witness.release(witness.holding(next));
                witness.release(witness.holding(behind));
                witness.requireFree(name);
              });
        });
  }

  @Test
  @Rule("HF-MSG-04")
  default void anOvertakeIsOneOvertakeWhateverHappensToItsMessages() {
    SpiClient witness = networked();
    whateverHappensToItsMessages(
        witness,
        (client, name) -> {
          Held dead = fixture().deadHolder(name);
          Request request = client.request(name);
          return new Act(
              deadline -> client.backend().overtake(request, dead.observed(), deadline),
              () -> !witness.holder(name).request().equals(dead.request().id()),
              () -> {
                assertThat(witness.holder(name).request()).isEqualTo(request.id());
                client.release(client.holding(request));
                witness.requireFree(name);
              });
        });
  }

  @Test
  @Rule("HF-MSG-05")
  default void aRevocationIsOneRevocationWhateverHappensToItsMessages() {
    SpiClient witness = networked();
    whateverHappensToItsMessages(
        witness,
        (client, name) -> {
          Held held = witness.hold(name);
          return new Act(
              deadline -> client.backend().revoke(held.observed(), RevokeWhen.NOW, deadline),
              () -> witness.toldRevoked().contains(held.request().id()),
              () -> {
                assertThat(witness.toldRevoked()).contains(held.request().id());
                witness.requireFree(name);
              });
        });
  }

  @Test
  @Rule("HF-MSG-06")
  default void aSessionLivesUntilItIsEndedWhateverHappensToItsMessages() {
    SpiClient witness = networked();
    whateverHappensToItsMessages(
        witness,
        (client, name) -> {
          Held held = client.hold(name);
          return new Act(
              deadline -> client.backend().renew(client.session(), deadline),
              () -> false,
              () -> {
                client.renewed();
                assertThat(witness.holder(name).request()).isEqualTo(held.request().id());
              });
        });
    whateverHappensToItsMessages(
        witness,
        (client, name) -> {
          SpiClient another = SpiClient.open(client.backend(), LONG);
          return new Act(
              deadline -> client.backend().end(another.session(), EndIf.CLOSED, deadline),
              () -> another.on(witness.backend()).renew() instanceof Renewed.Over,
              () -> {
                assertThat(another.renew()).isEqualTo(new Renewed.Over());
                client.renewed();
              });
        });
  }

  /** A step that a backend repeats by itself finds its own deed. */
  @Test
  @Rule("HF-MSG-07")
  default void aRevocationThatWasDoneNeverSaysThatItWasNotWhateverHappensToItsMessages() {
    SpiClient witness = networked();
    whateverHappensToItsMessages(
        witness,
        (client, name) -> {
          Held held = witness.hold(name);
          AtomicBoolean isFirst = new AtomicBoolean(true);
          return new Act(
              deadline -> {
                boolean first = isFirst.getAndSet(false);
                Revocation told =
                    client.backend().revoke(held.observed(), RevokeWhen.NOW, deadline);
                if (first) {
                  assertThat(told).as("the first call").isEqualTo(new Revocation.Freed());
                }
              },
              () -> witness.isFree(name),
              () -> witness.requireFree(name));
        });
  }

  /** Returns a client that the faults do not concern, where there is a network. */
  private SpiClient networked() {
    fixture().control(NetworkControl.class);
    return fixture().client();
  }

  private static List<Waiter> waiters(SpiClient witness, LockName name) {
    return witness.inspect(name).map(LockRecord::waiters).orElse(List.of());
  }
}
