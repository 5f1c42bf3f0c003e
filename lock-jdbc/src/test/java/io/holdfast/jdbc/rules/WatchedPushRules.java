package io.holdfast.jdbc.rules;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.fixtures.Watching;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.tck.adapter.PushRules;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Hints from a watch, for all sessions of a backend on one thread. */
public interface WatchedPushRules extends PushRules {

  @Override
  default int listeners() {
    return Watching.threads().size();
  }

  @Override
  default void breakListeners() {
    Watching.threads().forEach(Thread::interrupt);
  }

  @Test
  default void aHandOverByAnotherClientIsHintedToTheNextInLineAndToNoOther() throws Exception {
    LockBackend backend = backend();
    LockBackend other = backend();
    SessionId next = session(backend);
    SessionId last = session(backend);
    List<LockName> toNext = new CopyOnWriteArrayList<>();
    List<LockName> toLast = new CopyOnWriteArrayList<>();
    Request held = request(session(other), "a", IfHeld.QUEUE);
    take(other, held);
    Request second = request(next, "a", IfHeld.QUEUE);
    try (AutoCloseable one = backend.listen(next, toNext::add, soon());
        AutoCloseable two = backend.listen(last, toLast::add, soon())) {
      backend.grab(second, soon());
      backend.grab(request(last, "a", IfHeld.QUEUE), soon());

      other.release(held.name(), held.id(), soon());

      await().atMost(TIMEOUT).until(() -> !toNext.isEmpty());
      assertThat(toNext).containsExactly(held.name());
      assertThat(toLast).isEmpty();
      backend.release(held.name(), second.id(), soon());
      await().atMost(TIMEOUT).until(() -> !toLast.isEmpty());
      assertThat(toNext).hasSize(1);
    }
  }

  @Test
  default void allWhoAreLetInByAnotherClientAreHinted() throws Exception {
    LockBackend backend = backend();
    LockBackend other = backend();
    SessionId first = session(backend);
    SessionId second = session(backend);
    List<LockName> toFirst = new CopyOnWriteArrayList<>();
    List<LockName> toSecond = new CopyOnWriteArrayList<>();
    Request held = request(session(other), "a", IfHeld.QUEUE);
    take(other, held);
    try (AutoCloseable one = backend.listen(first, toFirst::add, soon());
        AutoCloseable two = backend.listen(second, toSecond::add, soon())) {
      backend.grab(request(first, "a", IfHeld.QUEUE).with(LockMode.SHARED), soon());
      backend.grab(request(second, "a", IfHeld.QUEUE).with(LockMode.SHARED), soon());

      other.release(held.name(), held.id(), soon());

      await().atMost(TIMEOUT).until(() -> !toFirst.isEmpty() && !toSecond.isEmpty());
    }
  }
}
