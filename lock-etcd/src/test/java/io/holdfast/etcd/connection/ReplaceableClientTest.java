package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplaceableClientTest {

  private final List<Client> made = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final ReplaceableClient clients = ReplaceableClient.owned(this::make, nanos::get);

  /** It is never called, so it does not connect. */
  private Client make() {
    Client client = Client.builder().endpoints("http://127.0.0.1:1").build();
    made.add(client);
    return client;
  }

  @AfterEach
  void close() {
    clients.close();
    made.forEach(Client::close);
  }

  private void unreachableAfter(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    clients.unreachable();
  }

  /** gRPC waits longer and longer between its attempts, up to minutes. */
  @Test
  void aClientThatReachesNobodyForSecondsIsReplaced() {
    unreachableAfter(4);
    assertThat(made).hasSize(1);

    unreachableAfter(2);

    assertThat(made).hasSize(2);
    assertThat(clients.current()).isSameAs(made.get(1));
  }

  @Test
  void aClientThatIsAnsweredNowAndThenIsKept() {
    for (int i = 0; i < 10; i++) {
      unreachableAfter(3);
      clients.answered();
    }

    assertThat(made).hasSize(1);
  }

  @Test
  void aClientThatIsSilentForAsLongAsACallIsReplaced() {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    clients.silent(TimeUnit.SECONDS.toNanos(2));
    assertThat(made).hasSize(1);

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    clients.silent(TimeUnit.SECONDS.toNanos(2));

    assertThat(made).hasSize(2);
  }

  @Test
  void theClientOfAnApplicationIsKept() {
    try (ReplaceableClient borrowed = ReplaceableClient.borrowed(made.get(0))) {
      borrowed.unreachable();

      assertThat(borrowed.current()).isSameAs(made.get(0));
    }
  }

  /** Nobody knows how long jetcd takes. */
  @Test
  void aClientWhoseClosingHangsHoldsNobodyUpForLong() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    ReplaceableClient hanging = ReplaceableClient.owned(() -> closedAfter(hangs), nanos::get);

    hanging.close();

    assertThat(hangs.getCount()).isEqualTo(1);
    hangs.countDown();
  }

  private static Client closedAfter(CountDownLatch latch) {
    return (Client)
        Proxy.newProxyInstance(
            Client.class.getClassLoader(),
            new Class<?>[] {Client.class},
            (proxy, method, arguments) -> {
              latch.await();
              return proxy;
            });
  }

  /** Files of certificates that are being replaced, for example. */
  @Test
  void aClientThatCannotBeReplacedNowIsKeptAndReplacedLater() {
    AtomicBoolean cannot = new AtomicBoolean();
    try (ReplaceableClient kept = ReplaceableClient.owned(() -> makeUnless(cannot), nanos::get)) {
      cannot.set(true);
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));

      kept.unreachable();

      assertThat(kept.current()).isSameAs(made.get(1));
      cannot.set(false);
      kept.unreachable();
      assertThat(made).as("not with each call that fails").hasSize(2);
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));
      kept.unreachable();
      assertThat(kept.current()).isSameAs(made.get(2));
    }
  }

  private Client makeUnless(AtomicBoolean cannot) {
    if (cannot.get()) {
      throw new BadRequestException("no file");
    }
    return make();
  }

  /** It may still be done. Who is told of a bad request takes it for one that never was sent. */
  @Test
  void aCallThatWasNotAnsweredMayHaveHadAnEffectAlsoIfItsClientCannotBeReplaced() {
    AtomicBoolean cannot = new AtomicBoolean();
    Supplier<Client> maker =
        () -> {
          if (cannot.getAndSet(true)) {
            throw new BadRequestException("no file");
          }
          return silent();
        };
    try (ClusterConnection cluster =
        new ClusterConnection(ReplaceableClient.owned(maker, nanos::get), "etcd://a", () -> {})) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(60));

      BackendFailure failure =
          catchThrowableOfType(
              BackendFailure.class,
              () -> cluster.verb(Deadline.in(Duration.ofSeconds(2)), calls -> calls.grantLease(9)));

      assertThat(failure).hasMessageContaining("has not answered in time");
      assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
    }
  }

  /** Returns a client of a server that answers nothing. */
  private static Client silent() {
    Lease lease = fake(Lease.class, new CompletableFuture<LeaseGrantResponse>());
    return fake(Client.class, lease);
  }

  /** Returns something whose methods all return the same. */
  private static <T> T fake(Class<T> type, Object returned) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> method.getReturnType() == void.class ? null : returned));
  }

  @Test
  void afterClosingNoneIsMade() {
    clients.close();

    unreachableAfter(60);

    assertThat(made).hasSize(1);
  }
}
