package io.holdfast.redis.queue;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.observed;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Waiter;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Many who hold a lock together, and many who have died. */
class RedisRunTest extends RedisServerTestBase {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String NAME = "a";

  /** Three times as many as one look judges. */
  private static final int MANY = 200;

  private static Request shared(SessionId session) {
    return request(session, NAME, IfHeld.QUEUE).with(LockMode.SHARED);
  }

  private static Request exclusive(SessionId session) {
    return request(session, NAME, IfHeld.QUEUE);
  }

  private static void queue(LockBackend backend, Request request) {
    assertThat(backend.grab(request, soon())).isEqualTo(new Attempt.Queued());
  }

  private static Standing standing(LockBackend backend, Request request) {
    return backend.look(request.id().session(), List.of(request.key()), soon()).get(0);
  }

  private static Standing.Waiting waiting(LockBackend backend, Request request) {
    return (Standing.Waiting) standing(backend, request);
  }

  @Test
  void oneOfManyHoldersThatDiedIsNamedInTheEnd() {
    LockBackend backend = backend();
    SessionId living = session(backend);
    SessionId dying = session(backend);
    for (int i = 0; i < MANY / 2; i++) {
      take(backend, shared(living));
    }
    Request dead = shared(dying);
    long number = take(backend, dead).number();
    for (int i = 0; i < MANY / 2; i++) {
      take(backend, shared(living));
    }
    Request writer = exclusive(living);
    queue(backend, writer);
    assertThat(waiting(backend, writer).ahead()).isEqualTo(1);
    assertThat(waiting(backend, writer).nextDue()).isPresent();

    backend.end(dying, EndIf.CLOSED, soon());

    await()
        .atMost(TIMEOUT)
        .until(() -> waiting(backend, writer).obstacles().stream().anyMatch(Obstacle::isHead));
    backend.overtake(writer, observed(dead, number), soon());
    LockRecord record = backend.inspect(new LockName(NAME), soon()).orElseThrow();
    assertThat(record.holders())
        .hasSize(MANY)
        .extracting(Holder::request)
        .doesNotContain(dead.id());
  }

  @Test
  void manyWhoWaitAreLetInTogetherAndShownInOrder() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    Request writer = exclusive(mine);
    take(backend, writer);
    List<Request> readers = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      readers.add(shared(mine));
      queue(backend, readers.get(i));
    }
    Request last = exclusive(mine);
    queue(backend, last);

    assertThat(backend.release(writer.name(), writer.id(), soon())).isEqualTo(Released.HANDED_ON);

    LockRecord record = backend.inspect(writer.name(), soon()).orElseThrow();
    assertThat(record.holders())
        .extracting(Holder::request)
        .isEqualTo(readers.stream().map(Request::id).toList());
    assertThat(record.waiters()).extracting(Waiter::request).containsExactly(last.id());
    for (Request reader : readers.subList(0, MANY - 1)) {
      assertThat(backend.release(reader.name(), reader.id(), soon())).isEqualTo(Released.SHARED);
    }
    Request reader = readers.get(MANY - 1);
    assertThat(backend.release(reader.name(), reader.id(), soon())).isEqualTo(Released.HANDED_ON);
    assertThat(standing(backend, last)).isInstanceOf(Standing.Holding.class);
  }

  @Test
  void aHandOverPassesByThoseWhoHaveDied() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    SessionId dying = session(backend);
    Request first = exclusive(mine);
    take(backend, first);
    for (int i = 0; i < 10; i++) {
      queue(backend, exclusive(dying));
    }
    Request next = exclusive(mine);
    queue(backend, next);
    queue(backend, exclusive(dying));
    backend.end(dying, EndIf.CLOSED, soon());

    assertThat(backend.release(first.name(), first.id(), soon())).isEqualTo(Released.HANDED_ON);
    assertThat(standing(backend, next)).isInstanceOf(Standing.Holding.class);
    assertThat(backend.release(next.name(), next.id(), soon())).isEqualTo(Released.FREED);
    assertThat(server.command("KEYS", namespace.key("*:" + NAME))).isEmpty();
  }

  /** Somebody has deleted the record by hand. */
  @Test
  void whatARecordLeftThatWasDeletedIsNobodys() {
    LockBackend backend = backend();
    SessionId mine = session(backend);
    take(backend, exclusive(mine));
    Request lost = exclusive(mine);
    queue(backend, lost);
    server.command("DEL", namespace.key("lock:" + NAME));

    Request holder = exclusive(mine);
    take(backend, holder);
    Request next = exclusive(mine);
    queue(backend, next);

    assertThat(standing(backend, lost)).isEqualTo(new Standing.Absent());
    assertThat(waiting(backend, next).ahead()).isEqualTo(1);
    backend.release(holder.name(), holder.id(), soon());
    assertThat(standing(backend, next)).isInstanceOf(Standing.Holding.class);
  }

  @Test
  void thoseWhoHoldAreToldWhenTheFirstJoinsBehindThem() throws Exception {
    LockBackend backend = backend();
    SessionId one = session(backend);
    SessionId other = session(backend);
    SessionId third = session(backend);
    take(backend, shared(one));
    take(backend, shared(other));
    Heard byOne = new Heard();
    Heard byOther = new Heard();
    try (AutoCloseable first = backend.listen(one, byOne, soon());
        AutoCloseable second = backend.listen(other, byOther, soon())) {
      queue(backend, exclusive(third));
      await().atMost(TIMEOUT).until(() -> !byOne.names.isEmpty() && !byOther.names.isEmpty());

      queue(backend, exclusive(third));
      Request mark = request(third, "mark", IfHeld.QUEUE);
      take(backend, mark);
      queue(backend, request(one, "mark", IfHeld.QUEUE));
      backend.release(mark.name(), mark.id(), soon());
      await().atMost(TIMEOUT).until(() -> byOne.names.contains(mark.name()));
    }
    assertThat(byOne.names).containsExactly(new LockName(NAME), new LockName("mark"));
    assertThat(byOther.names).containsExactly(new LockName(NAME));
  }

  private static final class Heard implements HintListener {
    private final Queue<LockName> names = new ConcurrentLinkedQueue<>();

    @Override
    public void accept(LockName name) {
      names.add(name);
    }

    @Override
    public void ended() {}
  }
}
