package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.Watching;
import io.holdfast.jdbc.rules.WatchedPushRules;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.report.Adapter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(
      strings = {"jdbc:h2:async:%s", "jdbc:h2:%s", "jdbc:h2:file:%s", "jdbc:h2:split:20:%s"})
  void aFileIsFoundBehindEachWayToIt(String form) throws Exception {
    Path odd = Files.createDirectory(directory.resolve("a:b c"));
    try (H2TestDatabase there =
        new H2TestDatabase(form.formatted(odd.resolve("locks")) + ";AUTO_SERVER=TRUE")) {
      LockBackend backend = there.backend();

      backend.listen(session(backend), name -> {}, soon()).close();
    }
  }

  /** It is not asked for again with each wait. */
  @Test
  void whereTheFileCannotBeWatchedHintsAreRefused() {
    try (H2TestDatabase nowhere = new H2TestDatabase("jdbc:h2:memFS:/hints")) {
      LockBackend backend = nowhere.backend();
      SessionId session = session(backend);

      assertThatThrownBy(() -> backend.listen(session, name -> {}, soon()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("/hints.mv.db");
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
