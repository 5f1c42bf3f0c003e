package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.tck.fixture.ConcurrentCalls;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.queue.ZooRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that use one session take it from each other, by a new connection each time. */
@Tag("server")
class ZooTakenSessionTest {

  private static final int CLIENTS = 4;

  /** So much that whoever has lost the session is back before the one that has it is done. */
  private static final Duration EACH_WAY = Duration.ofMillis(100);

  private static final Duration TTL = Duration.ofSeconds(60);
  private static final Duration WITHIN = Duration.ofSeconds(50);

  @Test
  void whereThatTakesLongEachHasItForLongEnough() {
    List<LockBackend> backends = new ArrayList<>();
    try (ZooServer server = ZooServer.launch();
        ZooRequests slow = new ZooRequests(server)) {
      for (int i = 0; i < CLIENTS; i++) {
        backends.add(
            new ZookeeperLockProvider()
                .connect(slow.uri(), BackendOptions.DEFAULTS, StoreFixture.soon()));
      }
      SpiClient client = SpiClient.open(backends.get(0), TTL);
      Request request = client.waitingRequest(new LockName("a"));
      slow.delay(EACH_WAY);

      List<Attempt> told =
          ConcurrentCalls.call(backends.stream().map(backend -> grab(backend, request)).toList());

      slow.delay(Duration.ZERO);
      long number = client.holding(request).number();
      assertThat(told)
          .allSatisfy(
              attempt ->
                  assertThat(attempt)
                      .isInstanceOfSatisfying(
                          Attempt.Granted.class,
                          granted -> assertThat(granted.number()).isEqualTo(number)));
    } finally {
      backends.forEach(LockBackend::close);
    }
  }

  private static Callable<Attempt> grab(LockBackend backend, Request request) {
    return () -> backend.grab(request, Deadline.in(WITHIN));
  }
}
