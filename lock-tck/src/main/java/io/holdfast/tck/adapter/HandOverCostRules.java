package io.holdfast.tck.adapter;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The requests to the server when a lock is handed over, where it tells who is next. */
@Topic(value = "COS", level = Level.CORE, clause = "LockBackend.release: at most three operations")
public interface HandOverCostRules {

  /** Returns a new connection. */
  LockBackend connect();

  /** Returns how often the server was asked for what since the last call. */
  Map<String, Long> requestsSinceLast();

  /** Each waiter watches its predecessor, and no other is told. */
  @Test
  @Rule("HF-COS-01")
  default void aHandOverCostsTheSameHoweverManyWait() {
    List<Long> costs = Stream.of(2, 20, 100).map(this::costOfTenHandOvers).toList();

    assertThat(costs.get(2))
        .as("requests of ten hand-overs with 2, 20 and 100 sessions: %s", costs)
        .isPositive()
        .isLessThanOrEqualTo(costs.get(0) + 5);
  }

  /** On the level of the verbs, so that no heartbeat is counted. */
  private long costOfTenHandOvers(int sessions) {
    try (LockBackend backend = connect()) {
      LockName name = new LockName("hand-over/" + sessions);
      List<SpiClient> waiters =
          Stream.generate(() -> SpiClient.open(backend, LONG)).limit(sessions).toList();
      List<Request> places = new ArrayList<>();
      BlockingQueue<LockName> hints = new LinkedBlockingQueue<>();
      for (SpiClient waiter : waiters) {
        backend.listen(waiter.session(), hints::add, StoreFixture.soon());
        Request place = waiter.waitingRequest(name);
        waiter.grab(place);
        places.add(place);
        waiters.forEach(SpiClient::keepAlive);
      }
      waiters.forEach(SpiClient::renewed);
      requestsSinceLast();
      int handOvers = Math.min(10, sessions - 1);
      for (int i = 0; i < handOvers; i++) {
        waiters.get(i).release(places.get(i));
        assertThat(hints.poll(20, TimeUnit.SECONDS)).isEqualTo(name);
        waiters.get(i + 1).holding(places.get(i + 1));
      }
      long total = requestsSinceLast().values().stream().mapToLong(n -> n).sum();
      waiters.forEach(SpiClient::closeSession);
      LoggerFactory.getLogger(HandOverCostRules.class)
          .info(
              "{} waiting sessions: {} requests for each hand-over",
              sessions,
              (double) total / handOvers);
      return total * 10 / handOvers;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
