package io.holdfast.jdbc.verbs;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteSweepTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private LockFile file;
  private LockBackend daily;
  private LockBackend backend;
  private SessionId mine;

  @BeforeEach
  void open() {
    file = LockFile.in(directory);
    daily = file.backend();
    backend = file.backend(SqliteSettings.standard().idle(Duration.ZERO));
    mine = session(backend);
  }

  @AfterEach
  void close() {
    file.close();
  }

  private long locks() {
    return file.number("SELECT count(*) FROM holdfast_locks");
  }

  /** Also if the clock was set back since: that is what the floor is for. */
  @Test
  void aDeletedRecordIsMadeAnewAboveTheFloorThatItsNumberRaised() {
    // given
    Request first = request(mine, "a", IfHeld.REFUSE);
    long number = take(backend, first).number();
    backend.release(first.name(), first.id(), soon());

    // when
    await().atMost(WAIT_MAX).until(() -> backend.sweep(soon()) == 1);

    // then
    assertThat(backend.inspect(first.name(), soon())).isEmpty();
    assertThat(file.number("SELECT floor FROM holdfast_namespace")).isEqualTo(number);
    file.execute("UPDATE holdfast_namespace SET floor = floor + 3600000000");
    assertThat(take(backend, request(mine, "a", IfHeld.REFUSE)).number())
        .isEqualTo(number + 3_600_000_001L);
  }

  @Test
  void aRecordWhoseNumberTheClockHasNotPassedIsKept() {
    Request first = request(mine, "a", IfHeld.REFUSE);
    take(backend, first);
    file.execute("UPDATE holdfast_locks SET number = number + 3600000000");
    backend.release(first.name(), first.id(), soon());

    assertThat(backend.sweep(soon())).isZero();
  }

  /** A grab that began before that could take a number that is not above it. */
  @Test
  void aRecordWhoseNumberTheClockHasJustPassedIsKept() {
    LockBackend hourly = file.backend(SqliteSettings.standard().idle(Duration.ofHours(1)));
    Request first = request(mine, "a", IfHeld.REFUSE);
    take(backend, first);
    backend.release(first.name(), first.id(), soon());
    file.execute("UPDATE holdfast_locks SET since = since - 7200000000, number = number - 1000000");

    assertThat(hourly.sweep(soon())).isZero();
    file.execute("UPDATE holdfast_locks SET number = number - 7200000000");
    assertThat(hourly.sweep(soon())).isOne();
  }

  @Test
  void aSweepIsBoundedAndRepeatedUntilNothingIsLeft() {
    for (int i = 0; i < 1100; i++) {
      Request request = request(mine, "lock " + i, IfHeld.REFUSE);
      take(backend, request);
      backend.release(request.name(), request.id(), soon());
    }

    List<Integer> gone = new ArrayList<>();
    // The last one is kept until the clock, which has milliseconds, has passed its number.
    await()
        .atMost(WAIT_MAX)
        .until(
            () -> {
              gone.add(backend.sweep(soon()));
              return locks() == 0;
            });

    assertThat(gone.stream().mapToInt(count -> count).sum()).isEqualTo(1100);
    assertThat(gone).hasSizeGreaterThan(1).doesNotContain(1100);
  }

  @Test
  void recordsWhoseHoldersAreOverAreNotKeptForEver() {
    SessionId dead = session(backend);
    take(backend, request(dead, "a", IfHeld.QUEUE));
    Request waiter = request(mine, "a", IfHeld.QUEUE);
    backend.grab(waiter, soon());
    take(backend, request(dead, "b", IfHeld.QUEUE));
    backend.end(dead, EndIf.CLOSED, soon());

    assertThat(daily.sweep(soon())).isZero();
    await()
        .atMost(WAIT_MAX)
        .until(
            () -> {
              backend.sweep(soon());
              return backend.inspect(new LockName("b"), soon()).isEmpty();
            });

    assertThat(backend.look(mine, List.of(waiter.key()), soon()).get(0))
        .isInstanceOf(io.holdfast.spi.answer.Standing.Holding.class);
  }
}
