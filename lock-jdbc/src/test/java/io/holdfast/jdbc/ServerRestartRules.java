package io.holdfast.jdbc;

import static io.holdfast.jdbc.LockFile.request;
import static io.holdfast.jdbc.LockFile.session;
import static io.holdfast.jdbc.LockFile.take;
import static io.holdfast.jdbc.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.BackendUnreachableException;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.tck.server.DatabaseServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What holders and waiters go through when a database server is started again. */
interface ServerRestartRules {

  Duration PATIENCE = Duration.ofSeconds(60);

  DatabaseServer server();

  /** Where the tables are, made empty for each test. */
  ServerSchema schema();

  private void holdAndWaitOver(Runnable fault) {
    try (LockClient one = Holdfast.connect(schema().uri());
        LockClient other = Holdfast.connect(schema().uri())) {
      // given
      Grant held = one.lock("a").acquire(PATIENCE);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(PATIENCE));
      await()
          .atMost(PATIENCE)
          .until(() -> schema().text("SELECT queue FROM holdfast_locks").contains(";!"));

      // when
      fault.run();

      // then
      held.check();
      assertThat(waits).isNotDone();
      held.close();
      try (Grant next = waits.join()) {
        assertThat(next.token().value()).isGreaterThan(held.token().value());
        next.check();
      }
    }
  }

  @Test
  default void whatIsHeldAndAwaitedIsSoAfterARestart() {
    holdAndWaitOver(server()::restart);
  }

  @Test
  default void whatIsHeldAndAwaitedIsSoAfterAKill() {
    holdAndWaitOver(
        () -> {
          server().kill();
          server().start();
        });
  }

  @Test
  default void whatIsHeldAndAwaitedIsSoAfterAStandstill() {
    holdAndWaitOver(
        () -> {
          server().pause();
          server().resume();
        });
  }

  @Test
  default void aHolderWhoseServerIsGoneForLongStopsBelievingAndTheLockIsToBeHadWhenItIsBack() {
    Duration ttl = Duration.ofSeconds(1);
    try (LockClient one = Holdfast.builder().defaultTtl(ttl).connect(schema().uri());
        LockClient other = Holdfast.builder().defaultTtl(ttl).connect(schema().uri())) {
      // given
      Grant held = one.lock("a").acquire(PATIENCE);

      // when
      server().kill();
      try {
        assertThatThrownBy(() -> other.lock("a").tryAcquire())
            .isInstanceOf(BackendUnreachableException.class);
        await().atMost(PATIENCE).until(() -> !held.isHeld());
        assertThatThrownBy(held::check).isInstanceOf(LockLostException.class);
      } finally {
        server().start();
      }

      // then
      try (Grant next = other.lock("a").acquire(PATIENCE)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
      one.lock("a").acquire(PATIENCE).close();
    }
  }

  /** As a promoted replica looks to its first client. */
  private void becomeAnotherLife() {
    schema().execute("UPDATE holdfast_namespace SET life = 'former'");
    schema().execute("UPDATE holdfast_sessions SET opened_in = 'former'");
  }

  @Test
  default void inAnotherLifeNobodyIsGrantedAnythingUntilEarlierLeasesHaveRunOut() {
    // given
    LockBackend before = schema().backend();
    SessionId former = session(before);
    long number = take(before, request(former, "a", IfHeld.REFUSE)).number();
    becomeAnotherLife();

    // when
    LockBackend after = schema().backend();
    SessionId mine = session(after);

    // then
    Attempt.Delayed delayed =
        (Attempt.Delayed) after.grab(request(mine, "b", IfHeld.QUEUE), soon());
    assertThat(delayed.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(61));
    assertThat(after.renew(former, soon())).isEqualTo(new Renewed.Over());
    schema().moveTimes(Duration.ofSeconds(61).negated());
    take(after, request(mine, "b", IfHeld.QUEUE));
    assertThat(
            after.inspect(request(mine, "a", IfHeld.QUEUE).name(), soon()).orElseThrow().number())
        .isEqualTo(number);
  }

  @Test
  default void whoeverDoesNotWantTheRestartGuardDoesNotWait() {
    session(schema().backend());
    becomeAnotherLife();

    LockBackend bold =
        schema()
            .backend(
                ServerSettings.standard(),
                new BackendOptions(NamespaceWish.NONE, RestartGuard.OFF));

    take(bold, request(session(bold), "a", IfHeld.REFUSE));
    LockBackend careful = schema().backend();
    assertThat(careful.grab(request(session(careful), "b", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Delayed.class);
  }

  /** Its number lies in the future, so whoever makes it anew might start below. */
  @Test
  default void aRecordIsKeptUntilTheClockHasPassedItsNumber() {
    // given
    LockBackend backend = schema().backend();
    SessionId mine = session(backend);
    Request request = request(mine, "a", IfHeld.REFUSE);
    take(backend, request);
    backend.release(request.name(), request.id(), soon());
    schema().execute("UPDATE holdfast_locks SET number = number + 3600000000");
    schema().moveTimes(Duration.ofHours(25).negated());
    backend.renew(mine, soon());

    // when
    backend.sweep(soon());

    // then
    assertThat(backend.inspect(request.name(), soon())).isPresent();
  }
}
