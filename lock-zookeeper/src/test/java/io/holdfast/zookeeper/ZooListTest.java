package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Request;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a page of a list takes. */
@Tag("server")
class ZooListTest extends ZooQueueTestBase {

  private static final Duration EACH_WAY = Duration.ofMillis(15);

  /** A stalled client sends in two flights what it would send in one. */
  private static final int FLIGHTS_MORE = 20;

  private List<LockRecord> page() {
    return backend.list("", Optional.empty(), 1_000, StoreFixture.soon());
  }

  private long flights(int locks) {
    requests.delay(EACH_WAY);
    requests.flightsSinceLast();
    assertThat(page()).hasSize(locks);
    long flights = requests.flightsSinceLast();
    requests.delay(Duration.ZERO);
    return flights;
  }

  private static LockName name(int i) {
    return new LockName("page/" + i);
  }

  @Test
  void aPageTakesAsManyRoundTripsHoweverManyLocksItHas() {
    SpiClient client = client();
    IntStream.range(0, 5).forEach(i -> client.hold(name(i)));
    long few = flights(5);
    IntStream.range(5, 200).forEach(i -> client.hold(name(i)));

    assertThat(flights(200)).as("round trips").isLessThan(few + FLIGHTS_MORE);
  }

  @Test
  void aPageTellsOfWhoWaitsForEachLock() {
    SpiClient client = client();
    SpiClient other = client();
    Held first = client.hold(name(1));
    Request waits = other.queue(name(1));
    Held downgraded = client.hold(name(2));
    Request shares = other.sharedRequest(name(2));
    other.grab(shares);
    Request writer = client.queue(name(2));
    client.downgrade(downgraded);
    Held shared = other.holding(shares);
    client.release(client.hold(name(3)));

    List<LockRecord> page = page();

    assertThat(page).extracting(LockRecord::name).containsExactly(name(1), name(2));
    assertThat(page)
        .isEqualTo(
            List.of(
                backend.inspect(name(1), StoreFixture.soon()).orElseThrow(),
                backend.inspect(name(2), StoreFixture.soon()).orElseThrow()));
    assertThat(page.get(0).number()).isEqualTo(first.number());
    assertThat(page.get(0).waiters()).extracting(Waiter::request).containsExactly(waits.id());
    assertThat(page.get(1).holders())
        .extracting(holder -> holder.ownNumber().orElseThrow())
        .containsExactly(downgraded.number(), shared.number());
    assertThat(page.get(1).waiters()).extracting(Waiter::request).containsExactly(writer.id());
  }
}
