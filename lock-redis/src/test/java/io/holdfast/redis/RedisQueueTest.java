package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Payload;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import org.junit.jupiter.api.Test;

/** How many may wait, as docs/backends/redis.md says. */
class RedisQueueTest extends RedisServerTestBase {

  private static final int PAYLOAD_BYTES = 4 * 1024;

  @Test
  void fourThousandWaitWithLargePayloads() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    Attempt last = backend.grab(large(mine), soon());

    int waiting = -1;
    while (!(last instanceof Attempt.QueueFull)) {
      waiting++;
      last = backend.grab(large(mine), soon());
    }

    assertThat(waiting).isEqualTo(4_000);
    assertThat(last.toString()).contains("maxWaiters=4000");
  }

  private static Request large(SessionId session) {
    Request small = request(session, "a", IfHeld.QUEUE);
    return small.with(Payload.of(new byte[PAYLOAD_BYTES]));
  }
}
