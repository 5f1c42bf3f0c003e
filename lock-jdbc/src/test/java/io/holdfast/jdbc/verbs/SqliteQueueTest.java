package io.holdfast.jdbc.verbs;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.SessionId;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.record.RequestId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteQueueTest {

  @TempDir private Path directory;
  private LockFile file;
  private LockBackend backend;
  private SessionId mine;
  private SessionId other;

  @BeforeEach
  void open() {
    file = LockFile.in(directory);
    backend = file.backend();
    mine = session(backend);
    other = session(backend);
  }

  @AfterEach
  void close() {
    file.close();
  }

  @Test
  void aFreeLockIsGrantedWithANumberFromTheClock() {
    Instant before = Instant.now().minusMillis(1);

    Attempt.Granted granted = take(backend, request(mine, "a", IfHeld.REFUSE));

    assertThat(granted.since()).isBetween(before, Instant.now());
    assertThat(StoreTime.instant(granted.number())).isEqualTo(granted.since());
  }

  @Test
  void aQueueHasALimitAndWhatIsBeyondItIsRefused() {
    Request holder = request(mine, "a", IfHeld.REFUSE);
    take(backend, holder);
    int refused = 0;
    int queued = 0;
    for (int i = 0; i < 200; i++) {
      Request big =
          Request.of(holder.name(), new RequestId(other, 1000 + i), LockFile.PROCESS)
              .why("w".repeat(AcquireOptions.WHY_MAX))
              .with(Payload.of(new byte[Payload.BYTES_MAX]));
      Attempt attempt = backend.grab(big, soon());
      if (attempt instanceof Attempt.Queued) {
        queued++;
      } else {
        assertThat(attempt).isInstanceOf(Attempt.QueueFull.class);
        refused++;
      }
    }

    assertThat(queued).isGreaterThan(50);
    assertThat(refused).isPositive();
    assertThat(file.number("SELECT length(queue) FROM holdfast_locks"))
        .isLessThanOrEqualTo(QueueTextDialect.QUEUE_MAX);
  }

  @Test
  void numbersRiseThoughTheClockWasSetBack() {
    Request holder = request(mine, "a", IfHeld.QUEUE);
    take(backend, holder);
    long future =
        StoreTime.micros(Duration.ofDays(1)) + file.number("SELECT number FROM holdfast_locks");
    file.execute("UPDATE holdfast_locks SET number = " + future);
    Request waiter = request(other, "a", IfHeld.QUEUE);
    backend.grab(waiter, soon());

    backend.release(holder.name(), holder.id(), soon());
    assertThat(take(backend, waiter).number()).isEqualTo(future + 1);
    backend.release(holder.name(), waiter.id(), soon());
    assertThat(take(backend, request(mine, "a", IfHeld.REFUSE)).number()).isEqualTo(future + 2);
  }

  @Test
  void namesAreTheirBytesAndNothingElse() {
    List<String> names = List.of("a", "A", "a ", "á", "a\u0301", "ab", "'", "%", "_", "𝛼", "\"");

    for (String name : names) {
      assertThat(backend.grab(request(mine, name, IfHeld.REFUSE), soon()))
          .as(name)
          .isInstanceOf(Attempt.Granted.class);
    }

    assertThat(backend.list("", java.util.Optional.empty(), 100, soon()))
        .extracting(record -> record.name())
        .containsExactlyElementsOf(names.stream().map(LockName::new).sorted().toList());
  }

  @Test
  void theTimeOfAGrantIsTakenAfterTheWaitForOtherProcesses() throws Exception {
    Request before = request(mine, "a", IfHeld.REFUSE);
    take(backend, before);
    backend.release(before.name(), before.id(), soon());
    try (java.sql.Connection blocker = java.sql.DriverManager.getConnection(file.uri());
        java.sql.Statement statement = blocker.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      var grab =
          java.util.concurrent.CompletableFuture.supplyAsync(
              () -> take(backend, request(mine, "a", IfHeld.REFUSE)));
      Thread.sleep(300);
      Instant released = Instant.now();
      statement.execute("COMMIT");

      Attempt.Granted granted = grab.get(20, java.util.concurrent.TimeUnit.SECONDS);

      assertThat(granted.since()).isAfterOrEqualTo(released.minusMillis(2));
      assertThat(granted.number()).isEqualTo(granted.since().toEpochMilli() * 1000);
    }
  }
}
