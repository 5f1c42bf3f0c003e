package io.holdfast.jdbc;

import static io.holdfast.jdbc.LockFile.observed;
import static io.holdfast.jdbc.LockFile.request;
import static io.holdfast.jdbc.LockFile.session;
import static io.holdfast.jdbc.LockFile.soon;
import static io.holdfast.jdbc.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.BadRequestException;
import io.holdfast.Liveness;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.Payload;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.Standing;
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

  private LockRecord refusedWith(Attempt attempt) {
    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    return ((Attempt.Refused) attempt).record();
  }

  private Standing standing(Request request) {
    return backend.look(request.id().session(), List.of(request.key()), soon()).get(0);
  }

  @Test
  void aFreeLockIsGrantedWithANumberFromTheClock() {
    Instant before = Instant.now().minusMillis(1);

    Attempt.Granted granted = take(backend, request(mine, "a", IfHeld.REFUSE));

    assertThat(granted.since()).isBetween(before, Instant.now());
    assertThat(StoreTime.instant(granted.number())).isEqualTo(granted.since());
  }

  @Test
  void aHeldLockIsRefusedWithItsRecordAndLeavesNothingBehind() {
    Request holder = request(mine, "a", IfHeld.REFUSE);
    Attempt.Granted granted = take(backend, holder);
    Request late = request(other, "a", IfHeld.REFUSE);

    LockRecord record = refusedWith(backend.grab(late, soon()));

    assertThat(record.number()).isEqualTo(granted.number());
    assertThat(record.holder()).get().extracting("request").isEqualTo(holder.id());
    assertThat(record.holder().orElseThrow().liveness()).isEqualTo(Liveness.LIVE);
    assertThat(record.holder().orElseThrow().payload()).isEqualTo(Payload.ofText("here"));
    assertThat(record.waiters()).isEmpty();
    assertThat(standing(late)).isEqualTo(new Standing.Absent());
  }

  @Test
  void theQueueIsServedInOrderWithRisingNumbers() {
    Request first = request(mine, "a", IfHeld.QUEUE);
    Request second = request(other, "a", IfHeld.QUEUE);
    Request third = request(mine, "a", IfHeld.QUEUE);
    long one = take(backend, first).number();
    assertThat(backend.grab(second, soon())).isEqualTo(new Attempt.Queued());
    assertThat(backend.grab(third, soon())).isEqualTo(new Attempt.Queued());

    assertThat(backend.release(first.name(), first.id(), soon())).isEqualTo(Released.HANDED_ON);
    Attempt.Granted two = take(backend, second);
    assertThat(backend.release(first.name(), second.id(), soon())).isEqualTo(Released.HANDED_ON);
    Attempt.Granted three = take(backend, third);
    assertThat(backend.release(first.name(), third.id(), soon())).isEqualTo(Released.FREED);
    Attempt.Granted four = take(backend, request(mine, "a", IfHeld.REFUSE));

    assertThat(List.of(one, two.number(), three.number(), four.number())).isSorted();
    assertThat(List.of(one, two.number(), three.number(), four.number())).doesNotHaveDuplicates();
  }

  @Test
  void repeatingAGrabAnswersTheSame() {
    Request holder = request(mine, "a", IfHeld.REFUSE);
    Request waiter = request(other, "a", IfHeld.QUEUE);

    Attempt granted = backend.grab(holder, soon());
    Attempt queued = backend.grab(waiter, soon());

    assertThat(backend.grab(holder, soon())).isEqualTo(granted);
    assertThat(backend.grab(waiter, soon())).isEqualTo(queued);
    assertThat(backend.inspect(holder.name(), soon()).orElseThrow().waiters()).hasSize(1);
  }

  @Test
  void aWaiterLeavesFromTheMiddleAndDisturbsNobody() {
    Request holder = request(mine, "a", IfHeld.QUEUE);
    long number = take(backend, holder).number();
    Request second = request(other, "a", IfHeld.QUEUE);
    Request third = request(mine, "a", IfHeld.QUEUE);
    Request fourth = request(other, "a", IfHeld.QUEUE);
    List.of(second, third, fourth).forEach(request -> backend.grab(request, soon()));

    assertThat(backend.release(third.name(), third.id(), soon())).isEqualTo(Released.WAS_WAITING);
    assertThat(backend.release(third.name(), third.id(), soon())).isEqualTo(Released.NOTHING);
    assertThat(backend.release(fourth.name(), fourth.id(), soon())).isEqualTo(Released.WAS_WAITING);

    LockRecord record = backend.inspect(holder.name(), soon()).orElseThrow();
    assertThat(record.number()).isEqualTo(number);
    assertThat(record.waiters()).extracting("request").containsExactly(second.id());
  }

  @Test
  void aReleaseOfWhatIsNotThereChangesNothing() {
    Request holder = request(mine, "a", IfHeld.REFUSE);
    take(backend, holder);
    RequestId stranger = new RequestId(other, 99);

    assertThat(backend.release(new LockName("unknown"), stranger, soon()))
        .isEqualTo(Released.NOTHING);
    assertThat(backend.release(holder.name(), stranger, soon())).isEqualTo(Released.NOTHING);
    assertThat(standing(holder)).isInstanceOf(Standing.Holding.class);
  }

  @Test
  void aRequestOfASessionThatIsOverIsNotServed() {
    Request request = request(mine, "a", IfHeld.QUEUE);
    backend.end(mine, EndIf.CLOSED, soon());

    assertThat(backend.grab(request, soon())).isEqualTo(new Attempt.SessionOver());

    take(backend, request(other, "a", IfHeld.REFUSE));
    assertThat(backend.grab(request, soon())).isEqualTo(new Attempt.SessionOver());
    assertThat(backend.inspect(request.name(), soon()).orElseThrow().waiters()).isEmpty();
  }

  @Test
  void theHeadOfASessionThatIsOverIsOvertakenByANewcomer() {
    Request dead = request(mine, "a", IfHeld.REFUSE);
    long number = take(backend, dead).number();
    backend.end(mine, EndIf.CLOSED, soon());
    Request newcomer = request(other, "a", IfHeld.REFUSE);
    LockRecord record = refusedWith(backend.grab(newcomer, soon()));
    assertThat(record.holder().orElseThrow().liveness()).isEqualTo(Liveness.ENDED);

    Attempt attempt = backend.overtake(newcomer, observed(dead, number), soon());

    assertThat(attempt).isInstanceOf(Attempt.Granted.class);
    assertThat(((Attempt.Granted) attempt).number()).isGreaterThan(number);
    assertThat(standing(dead)).isEqualTo(new Standing.Absent());
    assertThat(backend.grab(newcomer, soon())).isEqualTo(attempt);
  }

  @Test
  void whoOvertakesStandsBehindThoseWhoWait() {
    Request dead = request(mine, "a", IfHeld.QUEUE);
    long number = take(backend, dead).number();
    Request waiter = request(other, "a", IfHeld.QUEUE);
    backend.grab(waiter, soon());
    backend.end(mine, EndIf.CLOSED, soon());
    SessionId third = session(backend);
    Request newcomer = request(third, "a", IfHeld.QUEUE);

    LockRecord record = refusedWith(backend.overtake(newcomer, observed(dead, number), soon()));

    assertThat(record.holder()).get().extracting("request").isEqualTo(waiter.id());
    assertThat(record.number()).isGreaterThan(number);
    assertThat(standing(newcomer)).isEqualTo(new Standing.Absent());
    assertThat(standing(waiter)).isInstanceOf(Standing.Holding.class);
  }

  @Test
  void aWaiterThatOvertakesIsGrantedOnceOrStaysInItsPlace() {
    Request dead = request(mine, "a", IfHeld.QUEUE);
    long number = take(backend, dead).number();
    Request first = request(other, "a", IfHeld.QUEUE);
    Request second = request(other, "a", IfHeld.QUEUE);
    backend.grab(first, soon());
    backend.grab(second, soon());
    backend.end(mine, EndIf.CLOSED, soon());

    assertThat(backend.overtake(second, observed(dead, number), soon()))
        .isEqualTo(new Attempt.Queued());
    assertThat(backend.overtake(first, observed(dead, number), soon()))
        .isInstanceOf(Attempt.Granted.class);
    LockRecord record = backend.inspect(dead.name(), soon()).orElseThrow();
    assertThat(record.holder()).get().extracting("request").isEqualTo(first.id());
    assertThat(record.waiters()).extracting("request").containsExactly(second.id());
  }

  @Test
  void aHeadWhoseSessionOnlyLapsedIsNotOvertaken() {
    Request holder = request(mine, "a", IfHeld.REFUSE);
    long number = take(backend, holder).number();
    file.age(mine, Duration.ofHours(1));
    Request newcomer = request(other, "a", IfHeld.REFUSE);

    LockRecord record = refusedWith(backend.overtake(newcomer, observed(holder, number), soon()));

    assertThat(record.holder().orElseThrow().liveness()).isEqualTo(Liveness.LAPSED);
    assertThat(standing(holder)).isInstanceOf(Standing.Holding.class);
  }

  @Test
  void nobodyOvertakesWithAnOldObservation() {
    Request dead = request(mine, "a", IfHeld.REFUSE);
    long number = take(backend, dead).number();
    backend.end(mine, EndIf.CLOSED, soon());
    Request newcomer = request(other, "a", IfHeld.REFUSE);

    refusedWith(backend.overtake(newcomer, observed(dead, number - 1), soon()));
    Request unknown = request(mine, "a", IfHeld.REFUSE);
    refusedWith(backend.overtake(newcomer, observed(unknown, number), soon()));

    assertThat(standing(dead)).isInstanceOf(Standing.Holding.class);
  }

  @Test
  void aSessionThatIsOverOvertakesNobody() {
    Request dead = request(mine, "a", IfHeld.REFUSE);
    long number = take(backend, dead).number();
    Request late = request(other, "a", IfHeld.REFUSE);
    backend.end(mine, EndIf.CLOSED, soon());
    backend.end(other, EndIf.CLOSED, soon());

    assertThat(backend.overtake(late, observed(dead, number), soon()))
        .isEqualTo(new Attempt.SessionOver());
    assertThat(standing(dead)).isInstanceOf(Standing.Holding.class);
  }

  @Test
  void aQueueHasALimitAndWhatIsBeyondItIsRefused() {
    Request holder = request(mine, "a", IfHeld.REFUSE);
    take(backend, holder);
    int refused = 0;
    int queued = 0;
    for (int i = 0; i < 200; i++) {
      Request big =
          new Request(
              holder.name(),
              new RequestId(other, 1000 + i),
              LockMode.EXCLUSIVE,
              IfHeld.QUEUE,
              LockFile.PROCESS,
              "w".repeat(AcquireOptions.WHY_MAX),
              Payload.of(new byte[Payload.BYTES_MAX]));
      Attempt attempt = backend.grab(big, soon());
      if (attempt instanceof Attempt.Queued) {
        queued++;
      } else {
        refusedWith(attempt);
        refused++;
      }
    }

    assertThat(queued).isGreaterThan(50);
    assertThat(refused).isPositive();
    assertThat(file.number("SELECT length(queue) FROM holdfast_locks"))
        .isLessThanOrEqualTo(Queues.QUEUE_MAX);
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
  void sharedModeIsNotAvailable() {
    Request shared =
        new Request(
            new LockName("a"),
            new RequestId(mine, 1),
            LockMode.SHARED,
            IfHeld.REFUSE,
            LockFile.PROCESS,
            "",
            Payload.EMPTY);

    assertThatThrownBy(() -> backend.grab(shared, soon())).isInstanceOf(BadRequestException.class);
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
