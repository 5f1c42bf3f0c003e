package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Client;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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

  @Test
  void afterClosingNoneIsMade() {
    clients.close();

    unreachableAfter(60);

    assertThat(made).hasSize(1);
  }
}
