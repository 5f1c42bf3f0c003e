package io.holdfast.jdbc.sqlite;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.fixtures.Watching;
import io.holdfast.jdbc.rules.WatchedPushRules;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Adapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hand-over by watching the lock file. */
@Adapter("sqlite")
class SqliteHintsTest implements WatchedPushRules {

  private static final String GLANCE = new SqliteDialect().glance();

  @TempDir private Path directory;
  private LockFile file;

  @BeforeEach
  void make() {
    file = LockFile.in(directory);
  }

  @AfterEach
  void close() {
    file.close();
    await().atMost(TIMEOUT).until(() -> listeners() == 0);
  }

  @Override
  public LockBackend backend() {
    return file.backend();
  }

  @Test
  void whereTheSystemTellsOfNoWritesAHandOverByAnotherClientIsHinted() throws Exception {
    LockBackend backend = file.backend(SqliteSettings.standard().events(path -> Optional.empty()));
    LockBackend other = backend();
    SessionId next = session(backend);
    Request held = request(session(other), "a", IfHeld.QUEUE);
    take(other, held);
    List<LockName> hints = new CopyOnWriteArrayList<>();
    try (AutoCloseable listening = backend.listen(next, hints::add, soon())) {
      backend.grab(request(next, "a", IfHeld.QUEUE), soon());

      other.release(held.name(), held.id(), soon());

      await().atMost(TIMEOUT).until(() -> !hints.isEmpty());
      assertThat(hints).containsExactly(held.name());
    }
  }

  /** The system is not listened to then, for a while. */
  @Test
  void aHandOverInAFileThatIsBusyIsHinted() throws Exception {
    LockBackend backend = backend();
    LockBackend other = backend();
    SessionId next = session(backend);
    SessionId busy = session(other);
    Request held = request(session(other), "a", IfHeld.QUEUE);
    take(other, held);
    List<LockName> hints = new CopyOnWriteArrayList<>();
    try (AutoCloseable listening = backend.listen(next, hints::add, soon())) {
      backend.grab(request(next, "a", IfHeld.QUEUE), soon());
      for (int i = 0; i < 1_000; i++) {
        Request another = request(busy, "b", IfHeld.QUEUE);
        take(other, another);
        other.release(another.name(), another.id(), soon());
      }
      assertThat(hints).isEmpty();

      other.release(held.name(), held.id(), soon());

      await().atMost(TIMEOUT).until(() -> hints.contains(held.name()));
    }
  }

  /** Else it would learn with its next heartbeat when the lock is to be had. */
  @Test
  void theFirstWaiterIsToldThatTheLockStaysTaken() throws Exception {
    AtomicInteger glances = new AtomicInteger();
    LockBackend backend =
        file.backend(
            SqliteSettings.standard()
                .onStatement(text -> glances.addAndGet(text.equals(GLANCE) ? 1 : 0)));
    SessionId next = session(backend);
    Request held = request(session(backend), "a", IfHeld.QUEUE);
    take(backend, held);
    List<LockName> hints = new CopyOnWriteArrayList<>();
    try (AutoCloseable listening = backend.listen(next, hints::add, soon())) {
      backend.grab(request(next, "a", IfHeld.QUEUE), soon());
      await().atMost(TIMEOUT).until(() -> glances.get() > 0);
      // Another read, so that the first one has been taken note of.
      int before = glances.get();
      session(backend);
      await().atMost(TIMEOUT).until(() -> glances.get() > before);
      assertThat(hints).isEmpty();

      backend.releaseAfter(held.key(), Duration.ofHours(1), soon());

      await().atMost(TIMEOUT).until(() -> hints.contains(held.name()));
    }
  }

  @Test
  void whoseFileIsReplacedIsToldThatHintsHaveEnded() throws Exception {
    LockBackend backend = backend();
    AtomicBoolean ended = new AtomicBoolean();
    HintListener listener =
        new HintListener() {
          @Override
          public void accept(LockName name) {}

          @Override
          public void ended() {
            ended.set(true);
          }
        };
    try (AutoCloseable listening = backend.listen(session(backend), listener, soon())) {
      Files.delete(file.path);

      await().atMost(TIMEOUT).until(ended::get);
    }
    await().atMost(TIMEOUT).until(() -> listeners() == 0);
    try (AutoCloseable again = backend.listen(session(backend), listener, soon())) {
      assertThat(listeners()).isEqualTo(1);
    }
  }

  @Test
  void aBackendThatIsClosedCannotBeListenedTo() {
    LockBackend backend = backend();
    SessionId session = session(backend);
    backend.close();

    assertThatThrownBy(() -> backend.listen(session, name -> {}, soon()))
        .isInstanceOf(BackendFailure.class)
        .hasMessageContaining("closed");
  }

  @Test
  void whoListensNoMoreIsNotHinted() throws Exception {
    LockBackend backend = backend();
    SessionId gone = session(backend);
    SessionId there = session(backend);
    List<LockName> toGone = new CopyOnWriteArrayList<>();
    List<LockName> toOther = new CopyOnWriteArrayList<>();
    Request held = request(session(backend), "a", IfHeld.QUEUE);
    take(backend, held);
    try (AutoCloseable one = backend.listen(there, toOther::add, soon())) {
      AutoCloseable two = backend.listen(gone, toGone::add, soon());
      Request first = request(gone, "a", IfHeld.QUEUE);
      backend.grab(first, soon());
      backend.grab(request(there, "a", IfHeld.QUEUE), soon());
      two.close();

      backend.release(held.name(), held.id(), soon());
      backend.release(held.name(), first.id(), soon());

      await().atMost(TIMEOUT).until(() -> !toOther.isEmpty());
      assertThat(toGone).isEmpty();
    }
  }

  /** Whatever the number of those who wait. */
  @Test
  void thereIsOneThreadForHintsAndOnlyWhileSomebodyListens() throws Exception {
    try (TestClient holder = client(LONG_TTL);
        TestClient waiter = client(LONG_TTL)) {
      List<Grant> held = new ArrayList<>();
      List<Waiting> waiting = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        held.add(holder.hold("many/" + i));
        waiting.add(waiter.waitFor("many/" + i, TIMEOUT));
      }
      await().atMost(TIMEOUT).until(() -> waiter.hasAnswerOf(Verb.LISTEN));
      assertThat(listeners()).isEqualTo(1);
      assertThat(waiter.count(Verb.LISTEN)).isEqualTo(1);

      held.forEach(Grant::close);
      waiting.forEach(each -> each.grant().close());
    }
    await().atMost(TIMEOUT).until(() -> listeners() == 0);
  }

  @Test
  void noConnectionIsLeftBehind() throws Exception {
    assumeThat(Path.of("/proc/self/fd")).isDirectory();
    LockBackend backend = backend();
    SessionId session = session(backend);
    listenFor(backend, session);
    long before = descriptors();

    for (int i = 0; i < 20; i++) {
      listenFor(backend, session);
    }

    assertThat(descriptors()).as("open files").isLessThanOrEqualTo(before + 2);
  }

  private void listenFor(LockBackend backend, SessionId session) throws Exception {
    backend.listen(session, name -> {}, soon()).close();
    await().atMost(TIMEOUT).until(() -> listeners() == 0);
  }

  private long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(this::isOurs).count();
    }
  }

  private boolean isOurs(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(directory.toRealPath());
    } catch (IOException e) {
      return false; // It was closed meanwhile.
    }
  }

  /** Both wait for the same time, one of them without hints. */
  @Test
  void aWaiterSendsFewerStatementsThanOneWithoutHints() {
    AtomicInteger told = new AtomicInteger();
    AtomicInteger asking = new AtomicInteger();
    AtomicInteger versions = new AtomicInteger();
    LockBackend quiet =
        file.backend(
            SqliteSettings.standard()
                .onStatement(
                    text -> (text.startsWith("PRAGMA") ? versions : told).incrementAndGet()));
    LockBackend polling =
        file.backend(SqliteSettings.standard().onStatement(text -> asking.incrementAndGet()));

    Watching.compare(backend(), quiet, polling, told, asking);

    Watching.LOG.info("SQLite: and {} reads of data_version", versions);
  }

  @Test
  void aHandOverIsTimed() {
    Watching.time("SQLite", file::backend);
  }
}
