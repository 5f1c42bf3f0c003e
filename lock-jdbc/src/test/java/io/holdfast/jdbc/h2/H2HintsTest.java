package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.Watching;
import io.holdfast.jdbc.rules.WatchedPushRules;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.tck.report.Adapter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Hand-over by watching the file of a database. */
@Adapter("h2")
@EnabledOnOs(OS.LINUX)
class H2HintsTest implements WatchedPushRules {

  @TempDir private Path directory;
  private H2TestDatabase place;

  @BeforeEach
  void make() {
    place = H2TestDatabase.in(directory);
  }

  @AfterEach
  void close() {
    place.close();
    await().atMost(TIMEOUT).until(() -> listeners() == 0);
  }

  @Override
  public LockBackend backend() {
    return place.backend();
  }

  private LockBackend counted(AtomicInteger statements) {
    return place.backend(
        ServerSettings.standard().onStatement(text -> statements.incrementAndGet()),
        BackendOptions.DEFAULTS);
  }

  @Test
  void aHandOverByAnotherClientIsHintedToTheNextInLine() throws Exception {
    LockBackend backend = backend();
    LockBackend other = backend();
    SessionId next = session(backend);
    SessionId last = session(backend);
    List<LockName> toNext = new CopyOnWriteArrayList<>();
    List<LockName> toLast = new CopyOnWriteArrayList<>();
    Request held = request(session(other), "a", IfHeld.QUEUE);
    take(other, held);
    try (AutoCloseable one = backend.listen(next, toNext::add, soon());
        AutoCloseable two = backend.listen(last, toLast::add, soon())) {
      backend.grab(request(next, "a", IfHeld.QUEUE), soon());
      backend.grab(request(last, "a", IfHeld.QUEUE), soon());

      other.release(held.name(), held.id(), soon());

      await().atMost(TIMEOUT).until(() -> !toNext.isEmpty());
      assertThat(toNext).containsExactly(held.name());
      assertThat(toLast).isEmpty();
    }
  }

  /** No file of this machine tells of it. */
  @Test
  void inADatabaseInMemoryWaitersPoll() {
    try (H2TestDatabase memory = new H2TestDatabase("jdbc:h2:mem:hints;DB_CLOSE_DELAY=-1")) {
      assertThat(memory.backend().capabilities().wakeup()).isEqualTo(Wakeup.POLL);
    }
  }

  @Test
  void aWaiterSendsFewerStatementsThanOneWithoutHints() {
    AtomicInteger told = new AtomicInteger();
    AtomicInteger asking = new AtomicInteger();

    Watching.compare(backend(), counted(told), counted(asking), told, asking);

    assertThat(told.get()).isLessThan(asking.get());
  }

  @Test
  void aHandOverIsTimed() {
    Watching.time("H2", place::backend);
  }
}
