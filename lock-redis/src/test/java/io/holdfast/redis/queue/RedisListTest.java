package io.holdfast.redis.queue;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A page of a list has as many locks as were asked for, however it is read. */
class RedisListTest extends RedisServerTestBase {

  private static final int LOCKS = 5;
  private static final int WAITERS = 120;
  private static final int TWO_QUEUES_IN_A_SCRIPT = 3;

  private static List<String> list(LockBackend backend, int limit) {
    return backend.list("", Optional.empty(), limit, soon()).stream()
        .map(each -> each.name().toString())
        .toList();
  }

  @Test
  void aLockWhoseRecordWasDeletedByHandIsHeldByNobody() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    List.of("a", "b", "c").forEach(name -> take(backend, request(mine, name, IfHeld.REFUSE)));

    server.command("DEL", namespace.key("lock:a"));

    assertThat(list(backend, 1)).containsExactly("b");
    assertThat(list(backend, 2)).containsExactly("b", "c");
    assertThat(list(backend, 9)).containsExactly("b", "c");
  }

  /** A script holds up the whole server. */
  @Test
  void oneScriptDoesNotReadAllQueues() {
    AtomicInteger scripts = new AtomicInteger();
    LockBackend backend =
        namespace.backendOfOldServer(
            namespace.uri(), BackendOptions.DEFAULTS, scripts::incrementAndGet);
    SessionId mine = session(backend);
    for (int lock = 0; lock < LOCKS; lock++) {
      for (int i = 0; i <= WAITERS; i++) {
        Request request = request(mine, "n" + lock, IfHeld.QUEUE);
        backend.grab(request, soon());
      }
    }
    scripts.set(0);

    List<LockRecord> found = backend.list("", Optional.empty(), LOCKS, soon());

    assertThat(scripts).hasValue(TWO_QUEUES_IN_A_SCRIPT);
    assertThat(found)
        .extracting(each -> each.name().toString())
        .containsExactly("n0", "n1", "n2", "n3", "n4");
    assertThat(found).allMatch(each -> each.waiters().size() == WAITERS);
    assertThat(list(backend, 3)).containsExactly("n0", "n1", "n2");
  }
}
