package io.holdfast.redis.queue;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Payload;
import io.holdfast.SessionId;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Long queues. How many may wait is what docs/backends/redis.md says. */
class RedisQueueTest extends RedisServerTestBase {

  private static final int PAYLOAD_BYTES = 4 * 1024;

  /** The script that examines it: the first ones renew, and read the settings. */
  private static final int SECOND_PART = 4;

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

  /** A script examines a part of a long queue, which goes on before the next script. */
  @Test
  void whatComesToHoldWhileItsSessionIsResumedIsNotOverlooked() {
    LockBackend others = backend();
    SessionId theirs = session(others);
    SessionId mine = session(others);
    List<Request> queue = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      boolean isMine = i == 0 || i == 400 || i == 599;
      Request request = request(isMine ? mine : theirs, "a", IfHeld.QUEUE);
      assertThat(others.grab(request, soon())).isNotInstanceOf(Attempt.Refused.class);
      queue.add(request);
    }
    AtomicInteger scripts = new AtomicInteger(Integer.MIN_VALUE); // Until it is connected.
    Runnable goOn =
        () -> {
          if (scripts.incrementAndGet() == SECOND_PART) {
            queue.subList(1, 400).forEach(request -> release(others, request));
            release(others, queue.get(0));
          }
        };
    LockBackend later =
        namespace.backendOfOldServer(namespace.uri(), BackendOptions.DEFAULTS, goOn);
    scripts.set(0);

    Resumed resumed = ((ResumableSessions) later).resume(mine, soon()).orElseThrow();

    assertThat(scripts).hasValueGreaterThan(SECOND_PART);
    assertThat(others.look(mine, List.of(queue.get(400).key()), soon()))
        .hasOnlyElementsOfType(Standing.Holding.class);
    assertThat(resumed.requests())
        .containsExactlyInAnyOrder(queue.get(0).key(), queue.get(400).key(), queue.get(599).key());
  }

  private static void release(LockBackend backend, Request request) {
    assertThat(backend.release(request.name(), request.id(), soon()))
        .isNotEqualTo(Released.NOTHING);
  }

  private static Request large(SessionId session) {
    Request small = request(session, "a", IfHeld.QUEUE);
    return small.with(Payload.of(new byte[PAYLOAD_BYTES]));
  }
}
