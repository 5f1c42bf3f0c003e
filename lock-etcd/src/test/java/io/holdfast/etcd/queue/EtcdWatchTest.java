package io.holdfast.etcd.queue;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.etcd.EtcdLocks;
import io.holdfast.etcd.connection.ClusterConnection;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.connection.ReplaceableClient;
import io.holdfast.etcd.format.Keys;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hints: each from the key before one's own, none missed, and not too many at once. */
@Tag("server")
class EtcdWatchTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** As many as are wanted at once. */
  private static final Executor THREADS = task -> new Thread(task, "waits").start();

  private static EtcdServer server;
  private static Client client;

  private final Told told = new Told();

  private static final class Told implements HintListener {
    private final Queue<LockName> hints = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ends = new AtomicInteger();

    @Override
    public void accept(LockName name) {
      hints.add(name);
    }

    @Override
    public void ended() {
      ends.incrementAndGet();
    }
  }

  @BeforeAll
  static void start() {
    server = EtcdServer.launch();
    client = Client.builder().endpoints("http://" + server.address()).build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static LockBackend connect() {
    return EtcdLocks.on(client, "watch").connect(BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @Test
  void whatHappensBetweenLookingAndWatchingIsTold() throws Exception {
    try (LockBackend backend = connect();
        LockBackend elsewhere = connect()) {
      SpiClient holder = SpiClient.open(elsewhere, StoreFixture.LONG);
      SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
      backend.listen(waiter.session(), told, StoreFixture.soon());

      for (int i = 0; i < 20; i++) {
        LockName name = new LockName("between/" + i);
        Held held = holder.hold(name);
        Request waits = waiter.queue(name);
        holder.release(held);
        await().atMost(TIMEOUT).until(() -> told.hints.contains(name));
        waiter.holding(waits);
      }
      assertThat(told.ends).hasValue(0);
    }
  }

  /** What happens to who holds, as who waits behind it would like to know. */
  private enum Happens {
    RELEASED {
      @Override
      void to(Held held, SpiClient holder) {
        holder.release(held);
      }
    },
    GIVEN_BACK_EARLY {
      @Override
      void to(Held held, SpiClient holder) {
        holder.releaseAfter(held.request(), StoreFixture.LONG);
      }
    },
    DOWNGRADED {
      @Override
      void to(Held held, SpiClient holder) {
        holder.downgrade(held);
      }
    },
    REVOKED {
      @Override
      void to(Held held, SpiClient holder) {
        holder.revoke(held.observed(), RevokeWhen.SAFELY);
      }
    },
    REVOKED_WITH_NOTICE {
      @Override
      void to(Held held, SpiClient holder) {
        holder.backend().revokeIn(held.observed(), StoreFixture.LONG, StoreFixture.soon());
      }
    },
    SESSION_OVER {
      @Override
      void to(Held held, SpiClient holder) {
        holder.closeSession();
      }
    };

    abstract void to(Held held, SpiClient holder);
  }

  @ParameterizedTest
  @EnumSource(Happens.class)
  void whateverHappensToTheHolderIsTold(Happens event) throws Exception {
    isTold(event, Duration.ZERO);
  }

  @ParameterizedTest
  @EnumSource(Happens.class)
  void whateverHappensToAHolderWithALockDelayIsTold(Happens event) throws Exception {
    isTold(event, StoreFixture.LONG);
  }

  /** To who has just joined, and to who has looked; both shared, which a downgrade lets in. */
  private void isTold(Happens event, Duration lockDelay) throws Exception {
    try (LockBackend backend = connect();
        LockBackend elsewhere = connect()) {
      SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
      backend.listen(waiter.session(), told, StoreFixture.soon());
      for (boolean looks : List.of(false, true)) {
        SpiClient holder = SpiClient.open(elsewhere, StoreFixture.LONG);
        LockName name = new LockName("told/" + event + lockDelay + looks);
        Held held = holder.hold(holder.request(name).lockDelay(lockDelay));
        Request waits = waiter.queueShared(name);
        if (looks) {
          waiter.waiting(waits);
        }

        event.to(held, holder);

        await().atMost(TIMEOUT).until(() -> told.hints.contains(name));
        boolean isLetIn =
            event == Happens.RELEASED
                || event == Happens.DOWNGRADED
                || (event == Happens.SESSION_OVER && lockDelay.isZero());
        assertThat(waiter.standing(waits) instanceof Standing.Holding).isEqualTo(isLetIn);
      }
      assertThat(told.ends).hasValue(0);
    }
  }

  /** A waiter that was told that the session of its holder, which has a lock-delay, is over. */
  private record Delayed(SpiClient waiter, Request waits, SpiClient other, Held held) {

    /** Has another client begin the lock-delay. */
    void begin() {
      other.overtake(other.request(held.request().name()), held.observed());
    }
  }

  private Delayed delayed(LockBackend backend, LockBackend elsewhere, Duration lockDelay)
      throws Exception {
    SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
    SpiClient holder = SpiClient.open(elsewhere, StoreFixture.LONG);
    SpiClient other = SpiClient.open(elsewhere, StoreFixture.LONG);
    backend.listen(waiter.session(), told, StoreFixture.soon());
    LockName name = new LockName("delayed for " + lockDelay);
    Held held = holder.hold(holder.request(name).lockDelay(lockDelay));
    Request waits = waiter.queue(name);
    holder.closeSession();
    awaitHints(1);
    return new Delayed(waiter, waits, other, held);
  }

  private void awaitHints(int number) {
    await().atMost(TIMEOUT).until(() -> told.hints.size() >= number);
  }

  /** The watch is on another key once the holder's session is over. */
  @Test
  void theBeginningAndTheEndOfALockDelayAreTold() throws Exception {
    try (LockBackend backend = connect();
        LockBackend elsewhere = connect()) {
      Delayed delayed = delayed(backend, elsewhere, StoreFixture.LONG);
      SpiClient waiter = delayed.waiter();
      assertThat(waiter.waiting(delayed.waits()).obstacles()).hasSize(1);

      delayed.begin();
      awaitHints(2);
      assertThat(waiter.waiting(delayed.waits()).nextDue()).isPresent();

      // The key goes as it does when the time is over, which a machine may sleep through.
      delayed.other().revoke(delayed.held().observed(), RevokeWhen.SAFELY);
      awaitHints(3);
      waiter.holding(delayed.waits());
    }
  }

  /**
   * Its key goes with its lease. Nothing is required in between, which a machine may sleep through.
   */
  @Test
  void theEndOfALockDelayThatIsOverByItselfIsTold() throws Exception {
    try (LockBackend backend = connect();
        LockBackend elsewhere = connect()) {
      Delayed delayed = delayed(backend, elsewhere, Duration.ofSeconds(3));
      SpiClient waiter = delayed.waiter();
      waiter.waiting(delayed.waits());

      delayed.begin();
      awaitHints(2);
      Standing unused = waiter.standing(delayed.waits());
      awaitHints(3);
      waiter.holding(delayed.waits());
    }
  }

  /**
   * What a waiter wants to watch from is gone already: it is told that hints are over, and looks.
   */
  @Test
  void aCompactedWatchIsSurvived() throws Exception {
    try (LockBackend backend = connect()) {
      SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
      SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
      Held held = holder.hold(new LockName("compacted"));
      Request waits = waiter.queue(held.request().name());
      Watches watches = watchesOver(waiter);
      KeyValue ahead = first(held.request().name());
      holder.release(held);
      long now =
          client
              .getKVClient()
              .get(ahead.getKey())
              .get(20, TimeUnit.SECONDS)
              .getHeader()
              .getRevision();
      client.getKVClient().compact(now).get(20, TimeUnit.SECONDS);

      watches.waitsBehind(waits.key(), predecessor(ahead), ahead.getCreateRevision() - 1);

      await().atMost(TIMEOUT).until(() -> told.ends.get() == 1);
      waiter.holding(waits);
      watches.close();
    }
  }

  /** One that was replaced while a call was under way: the call itself has succeeded. */
  @Test
  void aWaiterWhoseClientIsClosedIsToldThatHintsAreOver() throws Exception {
    try (LockBackend backend = connect()) {
      SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
      SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
      Held held = holder.hold(new LockName("unwatched"));
      Request waits = waiter.queue(held.request().name());
      Client closed = Client.builder().endpoints("http://" + server.address()).build();
      closed.getWatchClient();
      closed.close();
      Watches watches = watchesOver(waiter, closed);

      watches.waitsBehind(waits.key(), predecessor(first(held.request().name())), 1);

      assertThat(told.ends).hasValue(1);
      watches.close();
    }
  }

  private Watches watchesOver(SpiClient waiter) {
    return watchesOver(waiter, client);
  }

  private Watches watchesOver(SpiClient waiter, Client over) {
    Watches watches =
        new Watches(
            new ClusterConnection(ReplaceableClient.borrowed(over), "etcd", () -> {}),
            new Places(session -> true));
    AutoCloseable unused = watches.listen(waiter.session(), told);
    return watches;
  }

  private static Place.Predecessor predecessor(KeyValue ahead) {
    return Place.Predecessor.of(new Keys("watch"), ahead);
  }

  private KeyValue first(LockName name) throws Exception {
    Keys.Range queue = new Keys("watch").queue(name);
    return client
        .getKVClient()
        .get(queue.from(), Ops.ofRange(queue))
        .get(20, TimeUnit.SECONDS)
        .getKvs()
        .stream()
        .min(Comparator.comparingLong(KeyValue::getCreateRevision))
        .orElseThrow();
  }

  /** jetcd opens a stream for each. */
  @Test
  void aClientHasNoMoreWatchesThanAFew() throws Exception {
    try (LockBackend backend = connect();
        LockBackend elsewhere = connect()) {
      SpiClient holder = SpiClient.open(elsewhere, StoreFixture.LONG);
      SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
      backend.listen(waiter.session(), told, StoreFixture.soon());
      List<Held> held = new ArrayList<>();
      for (int i = 0; i < Watches.WATCHES_MAX + 10; i++) {
        held.add(holder.hold(new LockName("many/" + i)));
        waiter.queue(held.get(i).request().name());
      }
      await().atMost(TIMEOUT).until(() -> server.watchers() == Watches.WATCHES_MAX);

      held.forEach(holder::release);

      await().atMost(TIMEOUT).until(() -> told.hints.size() == Watches.WATCHES_MAX);
      await().atMost(TIMEOUT).until(() -> server.watchers() == 0);
    }
  }

  @Test
  void whoHasNoWatchIsServedWithAHeartbeat() {
    int locks = Watches.WATCHES_MAX + 4;
    try (LockClient one = client("served");
        LockClient other = client("served")) {
      List<Grant> held =
          IntStream.range(0, locks).mapToObj(i -> one.lock("served/" + i).acquire()).toList();
      List<CompletableFuture<Grant>> waits =
          held.stream()
              .map(grant -> grant.name().value())
              .map(name -> supplyAsync(() -> other.lock(name).acquire(TIMEOUT), THREADS))
              .toList();
      await()
          .atMost(TIMEOUT)
          .until(
              () -> one.list("served/").filter(lock -> !lock.waiters().isEmpty()).count() == locks);

      held.forEach(Grant::release);

      assertThat(waits).allSatisfy(wait -> wait.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).check());
    }
  }

  private static LockClient client(String prefix) {
    return Holdfast.builder()
        .defaultTtl(Duration.ofSeconds(30))
        .heartbeat(Duration.ofSeconds(2))
        .connect("etcd://%s/%s".formatted(server.address(), prefix));
  }
}
