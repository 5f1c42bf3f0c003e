package io.holdfast.zookeeper.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a look takes. */
@Tag("server")
class ZooLookTest extends ZooQueueTestBase {

  private static final Duration EACH_WAY = Duration.ofMillis(15);
  private static final int REQUESTS = 50 * Standings.QUEUES_PER_READ;

  /** A stalled client sends in two flights what it would send in one. */
  private static final int FLIGHTS_MAX = 25;

  /** Where the servers are far away, it would else not be answered in the time of a call. */
  @Test
  void itTakesAsManyRoundTripsHoweverManyItAsksAbout() {
    SpiClient client = client();
    List<RequestKey> held =
        IntStream.range(0, REQUESTS)
            .mapToObj(i -> client.hold(new LockName("a" + i)).request().key())
            .toList();
    requests.delay(EACH_WAY);
    requests.flightsSinceLast();

    List<Standing> standings = backend.look(client.session(), held, StoreFixture.soon());

    assertThat(requests.flightsSinceLast()).as("round trips").isLessThan(FLIGHTS_MAX);
    requests.delay(Duration.ZERO);
    assertThat(standings).hasSize(REQUESTS).allMatch(Standing.Holding.class::isInstance);
  }

  /** A holder may be removed and its session live for months: a remembered place would be, too. */
  @Test
  void whatIsAbsentIsNotRemembered() throws Exception {
    SpiClient client = client();
    Held held = client.hold(LOCK);
    others.delete(QUEUE + "/" + others.getChildren(QUEUE, false).get(0), -1);

    assertThat(client.standing(held.request())).isEqualTo(new Standing.Absent());

    requests.sinceLast();
    assertThat(client.release(held)).isEqualTo(Released.NOTHING);
    assertThat(requests.sinceLast()).as("a search").isEqualTo(Map.of("sync", 1L, "exists", 1L));
  }

  /** Whoever waited and overtakes is told so, too. */
  @Test
  void norIsWhoOvertakesAndIsAbsent() throws Exception {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    SpiClient client = client();
    Request waits = client.queue(LOCK);
    List<String> nodes = others.getChildren(QUEUE, false);
    String last =
        nodes.stream()
            .filter(node -> node.contains(client.session().value()))
            .findAny()
            .orElseThrow();
    others.delete(QUEUE + "/" + last, -1);

    assertThat(client.overtake(waits, held.observed())).isInstanceOf(Attempt.Refused.class);

    requests.sinceLast();
    assertThat(client.release(waits)).isEqualTo(Released.NOTHING);
    assertThat(requests.sinceLast()).as("a search").doesNotContainKey("multi");
  }
}
