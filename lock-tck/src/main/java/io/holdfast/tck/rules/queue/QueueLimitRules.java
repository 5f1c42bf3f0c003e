package io.holdfast.tck.rules.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.Waiter;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A queue has an end, and a request that is turned away there learns why. */
@Topic(value = "LIM", level = Level.CORE, clause = "BackendOptions.maxWaiters")
public interface QueueLimitRules extends SpiRules {

  @Test
  @Rule("HF-LIM-01")
  default void theFourthWhereThreeMayWaitIsTurnedAwayAndLeavesNothing() {
    List<SpiClient> clients =
        Stream.generate(
                () -> fixture().client(StoreFixture.options().withMaxWaiters(3), StoreFixture.LONG))
            .limit(5)
            .toList();
    SpiClient holder = clients.get(0);
    Held held = holder.hold(LOCK);
    List<Request> waiting =
        clients.subList(1, 4).stream().map(client -> client.queue(LOCK)).toList();
    SpiClient fourth = clients.get(4);
    Request turnedAway = fourth.waitingRequest(LOCK);

    Attempt attempt = fourth.grab(turnedAway);

    assertThat(attempt).isInstanceOf(Attempt.QueueFull.class);
    assertThat(((Attempt.QueueFull) attempt).limit()).contains("maxWaiters=3");
    assertThat(fourth.standing(turnedAway)).isEqualTo(new Standing.Absent());
    assertThat(holder.inspect(LOCK).orElseThrow().waiters())
        .extracting(Waiter::request)
        .containsExactlyElementsOf(waiting.stream().map(Request::id).toList());
    assertThat(clients.get(3).grab(waiting.get(2)))
        .as("one that waits already")
        .isEqualTo(new Attempt.Queued());
    assertThat(fourth.grab(fourth.request(LOCK)))
        .as("one that does not want to wait")
        .isInstanceOf(Attempt.Refused.class);

    assertThat(holder.release(held)).isEqualTo(Released.HANDED_ON);
    Request late = fourth.queue(LOCK);
    for (int i = 0; i < waiting.size(); i++) {
      Held next = clients.get(i + 1).holding(waiting.get(i));
      clients.get(i + 1).release(next);
    }
    assertThat(fourth.release(fourth.holding(late))).isEqualTo(Released.FREED);
  }
}
