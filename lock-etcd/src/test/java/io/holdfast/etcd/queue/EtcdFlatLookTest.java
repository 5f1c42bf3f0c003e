package io.holdfast.etcd.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Client;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.etcd.EtcdLocks;
import io.holdfast.etcd.queue.EtcdAnswers.Size;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A look by the client that has joined is answered by as many keys and bytes, however many requests
 * wait.
 */
@Tag("server")
class EtcdFlatLookTest {

  private static final Logger LOG = LoggerFactory.getLogger(EtcdFlatLookTest.class);

  private static final int FEW = 2;
  private static final int MANY = 1_000;

  /** Numbers of revisions and of keys take more bytes as they grow. */
  private static final double MORE_AT_MOST = 1.3;

  private final EtcdAnswers answers = new EtcdAnswers();

  @ParameterizedTest
  @EnumSource
  void aLookCostsTheSameHoweverManyWait(LockMode mode) {
    try (EtcdServer server = EtcdServer.launch();
        Client client =
            Client.builder().endpoints("http://" + server.address()).interceptor(answers).build();
        LockBackend backend =
            EtcdLocks.on(client, "flat")
                .connect(BackendOptions.DEFAULTS.withMaxWaiters(2 * MANY), StoreFixture.soon())) {
      Map<String, Size> withFew = looks(backend, mode, FEW);
      Map<String, Size> withMany = looks(backend, mode, MANY);

      LOG.info("{}: with {} waiters {}, with {} {}", mode, FEW, withFew, MANY, withMany);
      withFew.forEach(
          (step, few) -> {
            Size many = Objects.requireNonNull(withMany.get(step));
            assertThat(few.keys()).as(step).isPositive();
            assertThat(many.transactions()).as(step).isEqualTo(few.transactions());
            assertThat(many.keys()).as("keys of a %s", step).isEqualTo(few.keys());
            assertThat((double) many.bytes())
                .as("bytes of a %s", step)
                .isLessThanOrEqualTo(few.bytes() * MORE_AT_MOST);
          });
    }
  }

  /** All wait for exclusive mode, but the last one, which waits for the given mode. */
  private Map<String, Size> looks(LockBackend backend, LockMode mode, int waiters) {
    LockName name = new LockName("lock-%s-%s".formatted(mode, waiters));
    SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
    SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
    Held held = holder.hold(name);
    List<Request> waiting = new ArrayList<>();
    for (int i = 1; i < waiters; i++) {
      waiting.add(waiter.queue(name));
      holder.keepAlive();
      waiter.keepAlive();
    }
    Request last = mode == LockMode.SHARED ? waiter.queueShared(name) : waiter.queue(name);
    Request next = waiting.get(0);
    Map<String, Size> sizes = new LinkedHashMap<>();
    sizes.put("holder's look", size(() -> holder.holding(held.request())));
    sizes.put("first waiter's look", size(() -> waiter.requireWaiting(next, 1)));
    sizes.put("last waiter's look", size(() -> waiter.waiting(last)));
    holder.release(held);
    sizes.put("look of the one who was handed the lock", size(() -> waiter.holding(next)));
    sizes.put("last waiter's look after a hand-over", size(() -> waiter.waiting(last)));
    return sizes;
  }

  private Size size(Runnable look) {
    answers.sinceLast();
    look.run();
    return answers.sinceLast();
  }
}
