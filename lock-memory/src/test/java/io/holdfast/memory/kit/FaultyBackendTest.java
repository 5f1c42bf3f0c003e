package io.holdfast.memory.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.Hang;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.faults.Invocation;
import io.holdfast.tck.faults.LateCopy;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class FaultyBackendTest {

  private static final LockName LOCK = new LockName("lock");
  private static final LockName OTHER = new LockName("other");

  private final LockBackend store =
      new MemoryStore("faults", MemoryOptions.DEFAULTS).connect(BackendOptions.DEFAULTS);
  private final FaultyBackend faulty = new FaultyBackend(store);
  private final SpiClient client = SpiClient.open(faulty, StoreFixture.LONG);
  private final SpiClient witness = client.on(store);

  @Test
  void withoutFaultsEverythingGoesThrough() throws Exception {
    Held held = client.hold(LOCK);
    client.renewed();

    assertThat(client.holding(held.request())).isEqualTo(held);
    assertThat(faulty.list("", Optional.empty(), 9, StoreFixture.soon())).hasSize(1);
    assertThat(faulty.sweep(StoreFixture.soon())).isZero();
    faulty.listen(client.session(), name -> {}, StoreFixture.soon()).close();
    assertThat(faulty.describe()).isEqualTo(store.describe());
    assertThat(faulty.partition(LOCK)).isZero();
  }

  @Test
  void anAnswerThatIsLostWasDone() {
    Request request = client.request(LOCK);
    faulty.next(Verb.GRAB, Fault.answerLost());

    assertThatThrownBy(() -> client.grab(request)).satisfies(effect(Effect.UNKNOWN));

    witness.holding(request);
  }

  @Test
  void aCallThatIsLostWasNotDone() {
    faulty.next(Verb.GRAB, Fault.callLost());
    faulty.next(Verb.GRAB, Fault.refused());

    assertThatThrownBy(() -> client.hold(LOCK)).satisfies(effect(Effect.UNKNOWN));
    assertThatThrownBy(() -> client.hold(LOCK)).satisfies(effect(Effect.NONE));

    assertThat(witness.isFree(LOCK)).isTrue();
  }

  @Test
  void aFaultIsMetOnce() {
    faulty.next(Verb.GRAB, Fault.callLost());

    assertThatThrownBy(() -> client.hold(LOCK)).isInstanceOf(BackendFailure.class);
    client.hold(LOCK);
  }

  @Test
  void aDoubledCallIsAnsweredByTheSecond() {
    Held held = client.hold(LOCK);
    faulty.next(Verb.RELEASE, Fault.doubled());

    assertThat(client.release(held)).isEqualTo(Released.NOTHING);
  }

  @Test
  void aLateCopyReachesTheStoreWhenItIsDelivered() {
    Request request = client.request(LOCK);
    LateCopy copy = faulty.next(Verb.GRAB, new LateCopy());
    assertThat(copy.isKept()).isFalse();
    assertThatThrownBy(copy::deliver).isInstanceOf(IllegalStateException.class);

    assertThatThrownBy(() -> client.grab(request)).satisfies(effect(Effect.UNKNOWN));
    assertThat(copy.isKept()).isTrue();
    assertThat(witness.isFree(LOCK)).isTrue();

    copy.deliver();
    witness.holding(request);
  }

  @Test
  void aHangHoldsUpItsCallsOnly() throws Exception {
    Hang hang = faulty.every(Verb.GRAB, call -> call.lock().equals(Optional.of(LOCK)), new Hang());
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<Held> hanging = thread.submit(() -> client.hold(LOCK));
      Awaitility.await().atMost(StoreFixture.LONG).until(() -> hang.hanging() == 1);

      client.hold(OTHER);
      client.renewed();
      assertThat(hanging.isDone()).isFalse();

      hang.release();
      assertThat(hanging.get(20, TimeUnit.SECONDS).number()).isPositive();
      assertThat(hang.hanging()).isZero();
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void aHangEndsWithTheDeadline() {
    faulty.next(Verb.RENEW, new Hang());

    assertThatThrownBy(() -> faulty.renew(client.session(), Deadline.in(Duration.ofMillis(20))))
        .satisfies(effect(Effect.UNKNOWN));
  }

  @Test
  void faultsAreAimedAtSessionsAndVerbs() {
    SpiClient other = SpiClient.open(faulty, StoreFixture.LONG);
    faulty.every(
        Verb.RENEW, call -> call.session().equals(Optional.of(other.session())), Fault.callLost());

    client.renewed();
    assertThatThrownBy(other::renew).isInstanceOf(BackendFailure.class);
    assertThatThrownBy(other::renew).isInstanceOf(BackendFailure.class);
    other.hold(LOCK);
    faulty.heal();
    other.renewed();
  }

  @Test
  void everyVerbCanFail() {
    faulty.always(Fault.callLost());
    Request request = client.request(LOCK);
    List<Runnable> verbs =
        List.of(
            () -> SpiClient.open(faulty, StoreFixture.LONG),
            client::renew,
            client::closeSession,
            () -> client.grab(request),
            () -> client.overtake(request, new Held(request, 1).observed()),
            () -> client.release(request),
            () -> client.look(request),
            () -> client.revoke(new Held(request, 1).observed(), RevokeWhen.NOW),
            () -> client.acknowledge(request),
            () -> client.inspect(LOCK),
            () -> faulty.list("", Optional.empty(), 1, StoreFixture.soon()),
            () -> faulty.sweep(StoreFixture.soon()),
            () -> faulty.listen(client.session(), name -> {}, StoreFixture.soon()));

    for (Runnable verb : verbs) {
      assertThatThrownBy(verb::run).isInstanceOf(BackendFailure.class);
    }
  }

  @Test
  void theHookSeesWhatEachCallIsAbout() {
    List<String> seen = new ArrayList<>();
    LockBackend spied =
        new InterceptedBackend(store) {
          @Override
          protected Object intercept(Verb verb, Invocation call) {
            seen.add(
                verb
                    + call.lock().map(name -> " " + name).orElse("")
                    + call.session().map(session -> " of a session").orElse(""));
            return call.proceed();
          }
        };
    SpiClient spiedOn = SpiClient.open(spied, StoreFixture.LONG);

    Held held = spiedOn.hold(LOCK);
    spiedOn.standing(held.request());
    spiedOn.release(held);
    spied.sweep(StoreFixture.soon());
    spied.close();

    assertThat(seen)
        .containsExactly(
            "OPEN of a session",
            "GRAB lock of a session",
            "LOOK lock of a session",
            "RELEASE lock of a session",
            "SWEEP",
            "CLOSE");
  }

  private static ThrowingConsumer<Throwable> effect(Effect expected) {
    return thrown ->
        assertThat(thrown)
            .isInstanceOfSatisfying(
                BackendFailure.class, failure -> assertThat(failure.effect()).isEqualTo(expected));
  }
}
