package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.error.BadRequestException;
import io.holdfast.memory.MemoryOptions.HandOver;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {

  private static final LockName LOCK = new LockName("lock");

  private final MemoryStore store = new MemoryStore("test", MemoryOptions.DEFAULTS);

  private static SpiClient client(MemoryStore store) {
    return SpiClient.open(store.connect(BackendOptions.DEFAULTS), StoreFixture.LONG);
  }

  @Test
  void theClockIsTheOneThatWasGiven() {
    AtomicLong micros = new AtomicLong(1_000_000);
    MemoryStore clocked = new MemoryStore("test", MemoryOptions.DEFAULTS.clockMicros(micros::get));
    SpiClient client = client(clocked);

    assertThat(client.renewed().storeTime()).contains(Instant.ofEpochSecond(1));
    assertThat(client.hold(LOCK).number()).isEqualTo(1_000_000);
    micros.addAndGet(StoreFixture.LONG.plusSeconds(1).toNanos() / 1000);
    assertThat(client.end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    micros.addAndGet(1);
    assertThat(client.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  @Test
  void theClockCanBeSet() {
    AtomicLong micros = new AtomicLong();
    MemoryStore clocked = new MemoryStore("test", MemoryOptions.DEFAULTS.clockMicros(micros::get));
    SpiClient client = client(clocked);

    clocked.stepClock(Duration.ofHours(2));
    clocked.stepClock(Duration.ofHours(-1));

    assertThat(client.renewed().storeTime()).contains(Instant.EPOCH.plus(Duration.ofHours(1)));
  }

  @Test
  void aFullQueueRefuses() {
    MemoryStore small = new MemoryStore("test", MemoryOptions.DEFAULTS.queueMax(2));
    SpiClient holder = client(small);
    holder.hold(LOCK);
    Request first = holder.queue(LOCK);
    holder.queue(LOCK);
    Request third = holder.waitingRequest(LOCK);

    assertThat(holder.grab(third)).isEqualTo(new Attempt.QueueFull("maxWaiters=2"));
    assertThat(holder.grab(first)).isEqualTo(new Attempt.Queued());
    holder.release(first);
    assertThat(holder.grab(third)).isEqualTo(new Attempt.Queued());
  }

  @Test
  void aStoreWithoutPushSendsNoHints() throws Exception {
    MemoryStore silent = new MemoryStore("test", MemoryOptions.DEFAULTS.wakeup(Wakeup.POLL));
    SpiClient client = client(silent);
    List<LockName> hints = new ArrayList<>();

    try (AutoCloseable listening =
        client.backend().listen(client.session(), hints::add, StoreFixture.soon())) {
      Held held = client.hold(LOCK);
      client.queue(LOCK);
      client.release(held);
    }

    assertThat(hints).isEmpty();
  }

  @Test
  void hintsStopWhenNobodyListensAnyMore() throws Exception {
    SpiClient client = client(store);
    List<LockName> hints = new ArrayList<>();
    AutoCloseable listening =
        client.backend().listen(client.session(), hints::add, StoreFixture.soon());
    Held held = client.hold(LOCK);
    Request second = client.queue(LOCK);
    client.queue(LOCK);
    client.release(held);
    assertThat(hints).containsExactly(LOCK);

    listening.close();
    client.release(second);

    assertThat(hints).containsExactly(LOCK);
  }

  /** A listener of another client may wait for a thread that wants the store itself. */
  @Test
  void hintsAreSentOutsideTheMonitor() throws Exception {
    SpiClient client = client(store);
    List<Boolean> held = new ArrayList<>();
    try (AutoCloseable listening =
        client
            .backend()
            .listen(
                client.session(), name -> held.add(Thread.holdsLock(store)), StoreFixture.soon())) {
      Held first = client.hold(LOCK);
      client.queue(LOCK);
      client.release(first);
    }

    assertThat(held).containsExactly(false);
  }

  @Test
  void aStepThatFailsLeavesTheVerbWhereItIs() {
    boolean[] dead = new boolean[1];
    MemoryStore stepped = new MemoryStore("test", MemoryOptions.DEFAULTS.handOver(HandOver.STEPS));
    LockBackend dying =
        stepped.connect(
            BackendOptions.DEFAULTS,
            () -> {
              if (dead[0]) {
                throw new IllegalStateException("dead");
              }
            });
    SpiClient client = SpiClient.open(dying, StoreFixture.LONG);
    Held held = client.hold(LOCK);
    dead[0] = true;

    assertThatThrownBy(() -> client.release(held)).hasMessage("dead");

    client(stepped).holder(LOCK);
  }

  @Test
  void aConnectionThatWasClosedSaysSo() {
    SpiClient client = client(store);
    client.backend().close();

    assertThatThrownBy(client::renew)
        .isInstanceOfSatisfying(
            BackendFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE));
  }

  @Test
  void aHandOverInStepsLeavesNoTrace() {
    MemoryStore stepped = new MemoryStore("test", MemoryOptions.DEFAULTS.handOver(HandOver.STEPS));
    SpiClient client = client(stepped);
    Held held = client.hold(LOCK);
    Request waits = client.queue(LOCK);

    assertThat(client.release(held)).isEqualTo(Released.HANDED_ON);
    assertThat(client.release(waits)).isEqualTo(Released.FREED);
    assertThat(client.standing(waits)).isEqualTo(new Standing.Absent());
    assertThat(client.isFree(LOCK)).isTrue();
  }

  @Test
  void aNameIsOneStoreInThisProcessUntilItIsForgotten() {
    LockProvider provider = provider();
    String uri = "memory:MemoryStoreTest.one";
    LockBackend one = provider.connect(uri, BackendOptions.DEFAULTS, StoreFixture.soon());
    LockBackend two = provider.connect(uri, BackendOptions.DEFAULTS, StoreFixture.soon());
    Held held = SpiClient.open(one, StoreFixture.LONG).hold(LOCK);

    assertThat(SpiClient.open(two, StoreFixture.LONG).refused(LOCK).request())
        .isEqualTo(held.request().id());

    MemoryStore.forget("MemoryStoreTest.one");
    LockBackend anew = provider.connect(uri, BackendOptions.DEFAULTS, StoreFixture.soon());
    assertThat(anew.inspect(LOCK, StoreFixture.soon())).isEqualTo(Optional.empty());
    MemoryStore.forget("MemoryStoreTest.one");
  }

  @Test
  void theProviderTakesItsUrisOnly() {
    LockProvider provider = provider();

    assertThat(provider.name()).isEqualTo("memory");
    assertThat(provider.accepts("memory:x")).isTrue();
    assertThat(provider.accepts("jdbc:sqlite:memory:x")).isFalse();
    assertThat(provider.uriForms()).containsExactly("memory:NAME");
    for (String wrong : List.of("memory:", "memory:a b", "memory:a?b=c")) {
      assertThatThrownBy(
              () -> provider.connect(wrong, BackendOptions.DEFAULTS, StoreFixture.soon()))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining(wrong);
    }
  }

  private static LockProvider provider() {
    return ServiceLoader.load(LockProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(MemoryLockProvider.class::isInstance)
        .findFirst()
        .orElseThrow();
  }
}
