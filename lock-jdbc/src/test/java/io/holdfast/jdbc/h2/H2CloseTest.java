package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Renewed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last client of a file closes the database, also where a thread has watched it. */
class H2CloseTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @RepeatedTest(10)
  void aClosedClientHasLeftTheFile() throws Exception {
    String uri = "jdbc:h2:async:%s;AUTO_SERVER=TRUE".formatted(directory.resolve("locks"));
    LockClient holder = Holdfast.connect(uri);
    LockClient waiter = Holdfast.connect(uri);
    Grant held = holder.lock("x").acquire(LONG);
    CompletableFuture<Grant> next = waiter.lock("x").acquireAsync(LONG);
    await().atMost(LONG).until(() -> holder.find("x").orElseThrow().waiting() == 1);
    held.release();
    next.get(LONG.toSeconds(), TimeUnit.SECONDS).release();

    holder.close();
    waiter.close();

    assertThat(open()).isEmpty();
    assertThat(directory.resolve("locks.trace.db")).doesNotExist();
  }

  /** H2's calls cannot be ended. */
  @Test
  void aClientThatIsClosedDuringACallLeavesTheFileAfterIt() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    AtomicBoolean hangs = new AtomicBoolean();
    LockBackend backend =
        Backends.h2(
            new H2Uri("jdbc:h2:" + directory.resolve("locks")),
            ServerSettings.standard()
                .onStatement(
                    text -> {
                      if (hangs.getAndSet(false)) {
                        hanging.countDown();
                        goOn.join();
                      }
                    }),
            BackendOptions.DEFAULTS,
            soon());
    SessionId session = session(backend);
    hangs.set(true);
    CompletableFuture<Renewed> renewed =
        CompletableFuture.supplyAsync(() -> backend.renew(session, soon()));
    assertThat(hanging.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

    backend.close();
    goOn.complete(null);

    assertThat(renewed).succeedsWithin(LONG);
    await().atMost(LONG).untilAsserted(() -> assertThat(open()).isEmpty());
    await().atMost(LONG).untilAsserted(() -> assertThat(embeddedThreads()).isEmpty());
  }

  private static List<String> embeddedThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter("holdfast-embedded"::equals)
        .toList();
  }

  private List<Path> open() throws IOException {
    Path real = directory.toRealPath();
    try (Stream<Path> handles = Files.list(Path.of("/proc/self/fd"))) {
      return handles.map(H2CloseTest::target).filter(file -> file.startsWith(real)).toList();
    }
  }

  private static Path target(Path handle) {
    try {
      return Files.readSymbolicLink(handle);
    } catch (IOException gone) {
      return handle;
    }
  }
}
